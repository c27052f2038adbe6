// Prints one invented conversation as the Vercel AI SDK itself keeps it: its UI messages, and what it makes of them.
// Run in a folder where `npm install ai@6` was done: node ai_sdk.mjs FOLDER > ai_sdk.json
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { join } from "node:path";

const require = createRequire(join(process.argv[2] ?? process.cwd(), "package.json"));
const load = (name) => import(pathToFileURL(require.resolve(name)).href);
const ai = (await load("ai")).default ?? (await load("ai"));
const test = (await load("ai/test")).default ?? (await load("ai/test"));
const schema = ai.jsonSchema({ type: "object", properties: { path: { type: "string" } } });

const usage = (input, read, output) => ({
  inputTokens: { total: input, noCache: input - read, cacheRead: read, cacheWrite: 0 },
  outputTokens: { total: output, text: output, reasoning: 0 },
});
const text = (id, words) => [
  { type: "text-start", id },
  { type: "text-delta", id, delta: words },
  { type: "text-end", id },
];
const thought = (id, words) => [
  { type: "reasoning-start", id },
  { type: "reasoning-delta", id, delta: words },
  { type: "reasoning-end", id, providerMetadata: { anthropic: { signature: "sig-1" } } },
];
const call = (toolCallId, toolName, input) => ({ type: "tool-call", toolCallId, toolName, input: JSON.stringify(input) });

// Each list is one reply of the model.
const REPLIES = [
  [
    ...thought("r1", "Two files, at once."),
    ...text("t1", "I read both."),
    call("c1", "read_file", { path: "a.txt" }),
    call("c2", "read_file", { path: "missing.txt" }),
  ],
  [call("c3", "count", { path: "a.txt" })],
  [...text("t2", "a.txt has three lines.")],
  [call("c4", "delete_file", { path: "a.txt" })],
];
const tools = {
  read_file: ai.tool({
    inputSchema: schema,
    execute: async ({ path }) => {
      if (path === "missing.txt") throw new Error("no such file");
      return "one\ntwo\nthree";
    },
  }),
  count: ai.tool({ inputSchema: schema, execute: async () => ({ lines: 3, words: ["one", "two", "three"] }) }),
  delete_file: ai.tool({ inputSchema: schema, needsApproval: true, execute: async () => "gone" }),
};
let next = 0;
const model = new test.MockLanguageModelV3({
  doStream: async () => {
    const parts = REPLIES[next++];
    const reason = parts.some((part) => part.type === "tool-call") ? "tool-calls" : "stop";
    return {
      stream: ai.simulateReadableStream({
        chunks: [
          { type: "stream-start", warnings: [] },
          ...parts,
          { type: "finish", finishReason: { unified: reason, raw: reason }, usage: usage(100 * next, 50, 7) },
        ],
      }),
    };
  },
});

let ids = 0;
async function turn(messages) {
  const result = ai.streamText({
    model,
    tools,
    messages: await ai.convertToModelMessages(messages, { tools }),
    stopWhen: ai.stepCountIs(5),
    onError: () => {},
  });
  const stream = result.toUIMessageStream({
    originalMessages: messages,
    generateMessageId: () => `msg-${++ids}`,
    messageMetadata: ({ part }) => (part.type === "finish" ? { usage: part.totalUsage } : undefined),
    onError: (error) => error.message,
  });
  let last;
  for await (const message of ai.readUIMessageStream({ stream, terminateOnError: false })) last = message;
  return last;
}

const asked = (id, words, ...more) => ({ id, role: "user", parts: [{ type: "text", text: words }, ...more] });
const png = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const system = { id: "msg-s", role: "system", parts: [{ type: "text", text: "You tidy folders." }] };
const ui = [system, asked("msg-u1", "How long is a.txt?")];
ui.push(await turn(ui));
ui.push(asked("msg-u2", "Delete it. It looks like this:", { type: "file", mediaType: "image/png", url: png }));
ui.push(await turn(ui));
const converted = await ai.convertToModelMessages(ui, { tools });
for (const message of converted) ai.modelMessageSchema.parse(message);

const answered = structuredClone(ui);
const part = answered.at(-1).parts.at(-1);
part.state = "approval-responded";
part.approval = { ...part.approval, approved: true, reason: "it is old" };
const model_answered = await ai.convertToModelMessages(answered, { tools });
part.approval.id = "approval-1";
ui.at(-1).parts.at(-1).approval.id = "approval-1";
for (const messages of [converted, model_answered])
  for (const message of messages)
    for (const one of Array.isArray(message.content) ? message.content : [])
      if ("approvalId" in one) one.approvalId = "approval-1";
const version = require("ai/package.json").version;
console.log(JSON.stringify({ version, ui, model: converted, ui_answered: answered, model_answered }, null, 1));
