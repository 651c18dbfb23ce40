import { vi } from 'vitest'
import { CATALOGUE } from '#domain/kit/errors'

export type Asked = { readonly path: string; readonly query: Readonly<Record<string, string>>; readonly body: unknown }

const typeOf = (code: 0 | 1) => ({ key: CATALOGUE[code].key, message: CATALOGUE[code].message })

/** For tests: replaces `fetch` with a server. It answers by path, with a value or a thrown error, and records the requests. */
export function serve(answers: Readonly<Record<string, (asked: Asked) => unknown>>): readonly Asked[] {
  const calls: Asked[] = []
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    const { pathname: path, searchParams } = new URL(url, 'http://localhost')
    const body = typeof init.body === 'string' ? JSON.parse(init.body) : undefined
    const asked = { path, query: Object.fromEntries(searchParams), body }
    calls.push(asked)
    try {
      const answer = answers[path]
      if (answer === undefined) throw new Error(`nothing answers ${path}`)
      return Response.json({ type: { code: 0, ...typeOf(0) }, data: answer(asked) })
    } catch {
      return Response.json({ type: { code: 1, ...typeOf(1) }, data: null }, { status: 500 })
    }
  })
  return calls
}
