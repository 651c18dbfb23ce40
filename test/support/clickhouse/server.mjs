/**
 * A ClickHouse server for tests: its HTTP interface in front of chdb, the engine of ClickHouse in this process. It runs one statement
 * at a time and asks for the user and password of its arguments. Arguments: folder of the data, port, user, password.
 * chdb is no dependency of the product: `npm install --no-save chdb@3.4.0`.
 */
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { gunzipSync } from 'node:zlib'

const [folder, port = '0', user = 'default', password = ''] = process.argv.slice(2)
const engine = 'chdb'
const { Session } = await import(engine)
const session = new Session(folder)

/** Parts of the address that are no settings of a query. */
const NO_SETTINGS = new Set(
  `query database query_id session_id default_format user password role enable_http_compression send_progress_in_http_headers
   wait_end_of_query http_headers_progress_interval_ms`.split(/\s+/),
)
const quoted = (text) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

let last = Promise.resolve()
/** Runs after everything that was asked before. */
const inOrder = (work) => (last = last.then(work, work))

async function read(request) {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  const bytes = Buffer.concat(chunks)
  return request.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes
}

/** The statement, its data, its settings and its parameters. */
async function statementOf(request, url) {
  const bytes = await read(request)
  const pairs = [...url.searchParams]
  let body = bytes.toString('utf8')
  if (request.headers['content-type']?.startsWith('multipart/form-data')) {
    const form = await new Response(bytes, { headers: { 'content-type': request.headers['content-type'] } }).formData()
    body = ''
    for (const [name, value] of form) if (typeof value === 'string') pairs.push([name, value])
  }
  const query = pairs.find(([name]) => name === 'query')?.[1]
  return {
    text: query ?? body,
    data: query === undefined ? '' : body,
    database: url.searchParams.get('database') ?? 'default',
    settings: pairs.filter(([name]) => !NO_SETTINGS.has(name) && !name.startsWith('param_')),
    params: pairs.filter(([name]) => name.startsWith('param_')),
  }
}

async function run({ text, data, database, settings, params }) {
  await session.queryAsync(`USE \`${database.replaceAll('`', '')}\``)
  try {
    for (const [name, value] of [...settings, ...params]) await session.queryAsync(`SET ${name} = ${quoted(value)}`)
    const insert = /^([^]*?)\bformat\s+(\w+)\s*$/i.exec(text)
    if (/^\s*insert\b/i.test(text) && insert !== null) {
      if (data === '') return Buffer.alloc(0)
      await session.queryAsync(`${insert[1]} FORMAT ${insert[2]}\n${data}`)
      return Buffer.alloc(0)
    }
    const result = await session.queryAsync(insert?.[1] ?? text, { format: insert?.[2] ?? 'TabSeparated' })
    return Buffer.from(result.bytes())
  } finally {
    // A setting is for one statement only.
    for (const [name] of settings) await session.queryAsync(`SET ${name} = DEFAULT`).catch(() => undefined)
  }
}

const allowed = ({ headers }) => headers.authorization === `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`

function refuse(response, error) {
  const message = String(error.message)
  const code = /Code: (\d+)/.exec(message)?.[1] ?? '1'
  response.writeHead(code === '516' ? 403 : code === '81' ? 404 : 500, { 'X-ClickHouse-Exception-Code': code })
  response.end(message)
}

async function answer(request, response) {
  const url = new URL(request.url, 'http://localhost')
  if (url.pathname === '/ping') return response.end('Ok.\n')
  try {
    const statement = await statementOf(request, url)
    if (!allowed(request)) throw new Error('Code: 516. DB::Exception: Authentication failed. (AUTHENTICATION_FAILED)')
    response.setHeader('X-ClickHouse-Query-Id', randomUUID())
    response.end(await inOrder(() => run(statement)))
  } catch (error) {
    refuse(response, error)
  }
}

const server = createServer((request, response) => void answer(request, response))
server.listen(Number(port), '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`))
