import { vi } from 'vitest'

export type Asked = { readonly path: string; readonly query: Readonly<Record<string, string>>; readonly body: unknown }

/** For tests: a server in place of `fetch`. It answers by path, with what a call is to get or with the error it throws; what was asked is kept. */
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
      return Response.json({ type: { code: 0, key: 'ok', message: 'OK' }, data: answer(asked) })
    } catch {
      return Response.json({ type: { code: 1, key: 'backend_exception', message: '' }, data: null }, { status: 500 })
    }
  })
  return calls
}
