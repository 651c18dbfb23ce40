import type { ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { failure } from './envelope.ts'

/** Answers of this process that are not sent yet. */
const open = new Set<ServerResponse>()

/** Longest wait for the clients of the last answers, milliseconds. */
const SENT_WITHIN_MS = 1000

/** Notes the open requests of a server, which `answerAll` answers if an error ends the process. */
export function noteRequests(app: FastifyInstance): void {
  app.addHook('onRequest', async (_request, reply) => {
    open.add(reply.raw)
    reply.raw.once('close', () => open.delete(reply.raw))
  })
}

const BODY = JSON.stringify(failure({ code: 1, faults: [] }))

/** Answers every open request with 503: after an error that nothing caught the process ends, and a proxy would only see it vanish. */
async function answerAll(): Promise<void> {
  const answers = [...open].filter(({ headersSent, destroyed }) => !headersSent && !destroyed)
  const sent = answers.map(
    (response) =>
      new Promise<void>((resolve) => {
        response.writeHead(503, { 'content-type': 'application/json; charset=utf-8', 'retry-after': '1', connection: 'close' })
        response.end(BODY, () => resolve())
      }),
  )
  await Promise.race([Promise.all(sent), delay(SENT_WITHIN_MS, undefined, { ref: false })])
}

/** The one line of an error that ends the process; `text` in place of its stack, where an operator can mend it. */
export function reportLast(error: unknown, text?: string): void {
  const log = pino(pino.destination({ dest: 1, sync: true }))
  if (text === undefined) log.fatal({ err: error }, 'an error that nothing caught ends the process')
  else log.fatal(text)
}

async function end(error: unknown): Promise<void> {
  reportLast(error)
  try {
    await answerAll()
  } finally {
    process.exit(1)
  }
}

/** An error that nothing caught ends the process: with one line, and with an answer to every open request. */
export function endOnUncaught(): void {
  for (const last of ['uncaughtException', 'unhandledRejection'] as const) process.on(last, (error: unknown) => void end(error))
}
