import type { ServerResponse } from 'node:http'

const callbacks = new WeakMap<ServerResponse, (() => void)[]>()

/** Runs work once an answer is sent or its client has left. One listener of the answer serves all: Node.js warns of more than ten. */
export function atClose(answer: ServerResponse, work: () => void): void {
  const known = callbacks.get(answer)
  if (known !== undefined) {
    known.push(work)
    return
  }
  const all = [work]
  callbacks.set(answer, all)
  answer.once('close', () => {
    for (const each of all) each()
  })
}
