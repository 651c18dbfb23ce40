type FactsPlace = { readonly server: string; readonly user: string; readonly password: string; readonly database: string }

/** The parts of FACTS_URL; throws with a message that completes "FACTS_URL: …". */
export function readFactsUrl(text: string): FactsPlace {
  const url = URL.canParse(text) ? new URL(text) : null
  const database = /^\/([A-Za-z_][A-Za-z0-9_]*)$/.exec(url?.pathname ?? '')?.[1]
  const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:'
  if (url === null || !isHttp || database === undefined || url.search !== '' || url.hash !== '')
    throw new Error('must look like http(s)://user:password@host:8123/database')
  return {
    server: url.origin,
    user: url.username === '' ? 'default' : decoded(url.username),
    password: decoded(url.password),
    database,
  }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    throw new Error('holds a % that is not followed by two hexadecimal digits: write %25')
  }
}
