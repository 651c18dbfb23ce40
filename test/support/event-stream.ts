import { createParser, type EventSourceMessage } from 'eventsource-parser'
import type { Session } from './product.ts'

/** Reads the messages of a stream of server-sent events one at a time; `end` closes it. */
export async function listen(base: string, { token }: Pick<Session, 'token'>, path = '/v1/stream') {
  const leaving = new AbortController()
  const response = await fetch(base + path, { headers: { authorization: `Bearer ${token}` }, signal: leaving.signal })
  const messages: EventSourceMessage[] = []
  let wake = () => {}
  const parser = createParser({
    onEvent: (message) => {
      messages.push(message)
      wake()
    },
  })
  const over = (async () => {
    const decoder = new TextDecoder()
    for await (const chunk of response.body ?? []) parser.feed(decoder.decode(chunk, { stream: true }))
  })().catch(() => undefined)
  const next = async (): Promise<EventSourceMessage> => {
    if (messages.length === 0) await new Promise<void>((resolve) => (wake = resolve))
    return messages.shift() ?? next()
  }
  return { response, next, messages, over, end: () => leaving.abort() }
}
