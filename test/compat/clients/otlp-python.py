"""Sends records by OpenTelemetry's exporter for Python, batch by batch."""

import logging
import sys
import time
from datetime import datetime

from opentelemetry._logs import LogRecord, SeverityNumber
from opentelemetry.exporter.otlp.proto.http import Compression
from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter
from opentelemetry.sdk._logs import LoggerProvider
from opentelemetry.sdk._logs.export import BatchLogRecordProcessor, LogRecordExportResult
from opentelemetry.sdk.resources import Resource

host, key, records, begin, form = sys.argv[1:6]
logging.disable(logging.CRITICAL)


class Delivering(OTLPLogExporter):
    """The exporter gives up after a minute, or where nobody answers; it says so."""

    def export(self, batch):
        while super().export(batch) is not LogRecordExportResult.SUCCESS:
            time.sleep(0.5)
        return LogRecordExportResult.SUCCESS


exporter = Delivering(
    endpoint=f"{host}/v1/otlp/v1/logs",
    headers={"x-api-key": key},
    compression=Compression(form),
    timeout=10,
)
provider = LoggerProvider(
    resource=Resource({"service.name": "checkout", "deployment.environment.name": "staging"})
)
provider.add_log_record_processor(
    BatchLogRecordProcessor(exporter, max_export_batch_size=50, export_timeout_millis=120_000)
)
logger = provider.get_logger("payments", "1.2.0")
start = int(datetime.fromisoformat(begin.replace("Z", "+00:00")).timestamp()) * 10**9

for n in range(int(records)):
    logger.emit(
        LogRecord(
            timestamp=start + n * 10**9,
            observed_timestamp=start + n * 10**9,
            severity_number=SeverityNumber.ERROR,
            severity_text="ERROR",
            body=f"Payment {n} failed",
            attributes={
                "orderId": n,
                "retry": True,
                "codes": ["a", "b"],
                "nested": {"reason": "timeout"},
            },
        )
    )
    if n % 50 == 49:
        provider.force_flush(120_000)
        print(n + 1, flush=True)
provider.shutdown()
