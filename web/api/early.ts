declare global {
  interface Window {
    /** What public/first.js has asked for, and for whom. */
    askedEarly?: { readonly url: string; readonly token: string; readonly answer: Promise<Response> }
  }
}

/** The answer to this call when it was asked for before the application was there, by the same person; each is taken once. */
export function askedEarly(url: string, init: RequestInit): Promise<Response> | null {
  const asked = window.askedEarly
  if (asked === undefined || asked.url !== url || init.method !== 'GET') return null
  delete window.askedEarly
  return new Headers(init.headers).get('Authorization') === `Bearer ${asked.token}` ? asked.answer : null
}
