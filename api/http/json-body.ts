import type { FastifyInstance } from 'fastify'
import { refused } from '#commands/refused'

/**
 * Deepest nesting of a JSON body. Saves need about 30, deeper groups of rules are refused by path; recursion overflows near
 * 10,000.
 */
const MAX_DEPTH = 1000

/** Parses JSON bodies as fastify does, but refuses deeply nested ones with 2 before they are traversed. */
export function installJsonBody(app: FastifyInstance): void {
  app.removeContentTypeParser('application/json')
  parseJsonAs(app, 'application/json')
}

/** Parses bodies of a media type as JSON. */
export function parseJsonAs(app: FastifyInstance, type: string): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser<string>(type, { parseAs: 'string' }, (request, body, done) => {
    if (nestsDeeperThan(MAX_DEPTH, body))
      return done(refused(2, [{ path: 'body', code: 2, message: `JSON is nested at most ${MAX_DEPTH} levels deep` }]))
    return parse(request, body, done)
  })
}

const [QUOTE, BACKSLASH] = ['"'.charCodeAt(0), '\\'.charCodeAt(0)]
const OPENING = new Set([...'[{'].map((char) => char.charCodeAt(0)))
const CLOSING = new Set([...']}'].map((char) => char.charCodeAt(0)))

/** Whether a JSON text nests deeper; brackets within strings do not count. Linear, without recursion. */
export function nestsDeeperThan(most: number, text: string): boolean {
  let depth = 0
  let inString = false
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (inString) {
      if (code === BACKSLASH) i += 1
      else if (code === QUOTE) inString = false
    } else if (code === QUOTE) inString = true
    else if (OPENING.has(code) && (depth += 1) > most) return true
    else if (CLOSING.has(code)) depth -= 1
  }
  return false
}
