"""Evaluates the cases of a file by OpenFeature's own provider; prints the values as JSON."""

import json
import os

from openfeature import api
from openfeature.contrib.provider.ofrep import OFREPProvider
from openfeature.evaluation_context import EvaluationContext

given = json.load(open(os.environ["CASES"]))
authorization = {"authorization": f"Bearer {given['flagKey']}"}
api.set_provider(OFREPProvider(f"{given['url']}/v1", headers_factory=lambda: authorization, timeout=60))
client = api.get_client()
ways = {
    "boolean": (client.get_boolean_details, False),
    "string": (client.get_string_details, "fallback"),
    "number": (client.get_float_details, -99.0),
    "json": (client.get_object_details, {"fallback": True}),
}
values = []
for case in given["cases"]:
    attributes = dict(case["context"])
    context = EvaluationContext(attributes.pop("targetingKey"), attributes)
    evaluate, fallback = ways[case["type"]]
    details = evaluate(case["key"], fallback, context)
    values.append(f"{details.error_code} {details.error_message}" if details.error_code else details.value)
print(json.dumps(values))
