import { describe, expect, it } from 'vitest'
import { Away } from '#eventstore/away'
import { blameConnection } from '#eventstore/postgres/connection-loss'
import { ReadModelsBehind } from '#projections/catch-up'
import { createLogger } from './logger.ts'

/** A failed query. */
const ofQuery = (error: Error): Error => {
  try {
    return blameConnection(error)
  } catch {
    return error
  }
}

function linesOf(level: string, error: unknown): readonly string[] {
  const lines: { readonly level: number; readonly msg: string }[] = []
  const logger = createLogger(level, { write: (line) => void lines.push(JSON.parse(line)) })
  logger.error({ err: error }, 'a policy failed')
  logger.child({ request: 1 }).warn(error)
  return lines.map((line) => `${line.level} ${line.msg}`)
}

describe('the log', () => {
  it.each([
    { what: 'a service that is away', error: new Away('PostgreSQL') },
    { what: 'read models that are behind', error: new ReadModelsBehind() },
    { what: 'a lost connection', error: ofQuery(new Error('Connection terminated unexpectedly')) },
    { what: 'a call that was given up', error: Object.assign(new Error('sent'), { code: 'FST_ERR_REP_ALREADY_SENT' }) },
    { what: 'a client that left', error: Object.assign(new Error('Premature close'), { code: 'ERR_STREAM_PREMATURE_CLOSE' }) },
    { what: 'one that it caused', error: new Error('no rows', { cause: ofQuery(new Error('timeout expired')) }) },
  ])('the log has errors of $what as debug lines only', ({ error }) => {
    expect(linesOf('info', error)).toEqual([])
    expect(linesOf('debug', error)).toEqual(['20 a policy failed', `20 ${error.message}`])
  })

  it.each([{ error: new Error('a fault') }, { error: ofQuery(new TypeError('a fault')) }])(
    'the log has every other error',
    ({ error }) => {
      expect(linesOf('info', error)).toEqual(['50 a policy failed', '40 a fault'])
    },
  )
})
