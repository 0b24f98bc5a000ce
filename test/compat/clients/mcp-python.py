"""Lists and calls tools by the protocol's client for Python; prints what came as JSON."""

import asyncio
import json
import sys

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client


async def main(url: str, key: str, calls: str) -> None:
    async with httpx2.AsyncClient(headers={"x-api-key": key}, timeout=60) as http:
        async with Client(streamable_http_client(url, http_client=http)) as client:
            listed = await client.list_tools()
            answers = {}
            for name, given in json.loads(calls).items():
                answer = await client.call_tool(name, given)
                answers[name] = {
                    "isError": bool(answer.is_error),
                    "text": answer.content[0].text,
                }
            tools = [tool.name for tool in listed.tools]
            found = {"protocol": client.protocol_version, "tools": tools, "answers": answers}
            print(json.dumps(found))


asyncio.run(main(*sys.argv[1:]))
