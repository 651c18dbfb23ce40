type Asked = {
  readonly method: string
  readonly url: string
  readonly body?: string
  readonly token: string
  readonly answer: Promise<Response>
}

declare global {
  interface Window {
    /** What public/first.js has asked for, and for whom. */
    askedEarly?: readonly Asked[]
  }
}

/** The answer to this call when it was asked for before the application was there, by the same person; each is taken once. */
export function askedEarly(url: string, init: RequestInit): Promise<Response> | null {
  const found = window.askedEarly?.find(
    ({ method, url: address, body }) => address === url && method === init.method && body === init.body,
  )
  if (found === undefined) return null
  window.askedEarly = window.askedEarly?.filter((asked) => asked !== found) ?? []
  return new Headers(init.headers).get('Authorization') === `Bearer ${found.token}` ? found.answer : null
}
