/** Lists and calls tools by the client of the protocol's second line; prints what came as JSON. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

const [, , url, key, calls] = process.argv;
const client = new Client(
  { name: 'compat', version: '1' },
  { versionNegotiation: { mode: 'auto' } },
);
const requestInit = { headers: { 'x-api-key': key } };
await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
const { tools } = await client.listTools();
const answers = {};
for (const [name, given] of Object.entries(JSON.parse(calls))) {
  const { isError = false, content } = await client.callTool({ name, arguments: given });
  answers[name] = { isError, text: content[0].text };
}
const protocol = client.getNegotiatedProtocolVersion();
console.log(JSON.stringify({ protocol, tools: tools.map(({ name }) => name), answers }));
await client.close();
