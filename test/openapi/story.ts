// Compiled against the types that openapi-typescript generates from the document of the running product, then run: `node
// story.ts <base> <password>`.
import createClient from 'openapi-fetch'
import type { paths } from './placard.d.ts'

const [base = '', password = ''] = process.argv.slice(2)
const anyone = createClient<paths>({ baseUrl: base })

const signed = await anyone.POST('/v1/oauth/token', {
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: { grant_type: 'password', username: 'ada@nile.example', password },
  bodySerializer: (body) => new URLSearchParams(Object.entries(body).map(([key, value]) => [key, String(value)])),
})
if (signed.data === undefined) throw new Error(`signing in was refused: ${signed.error.type.key}`)
const ada = createClient<paths>({ baseUrl: base, headers: { authorization: `Bearer ${signed.data.data.access_token}` } })

const created = await ada.POST('/v1/campaign', {
  body: { name: 'Made by a generated client', country: 'NG', budget: 25, bidding_strategy: { type: 'awareness' } },
})
if (created.data === undefined || !('name' in created.data.data))
  throw new Error(`the campaign was not created: ${JSON.stringify(created.error ?? created.data)}`)
const { id, revision } = created.data.data

const renamed = await ada.PUT('/v1/campaign', { body: { id, name: 'Renamed', revision } })
if (renamed.data === undefined) throw new Error(`the campaign was not saved: ${renamed.error.type.key}`)

// Reads that send it back include the save.
const after = { 'X-Position': 'position' in renamed.data.data ? renamed.data.data.position : '0' }

const stale = await ada.PUT('/v1/campaign', { params: { header: { 'If-Match': '1' } }, body: { id, name: 'Too late' } })
const read = await ada.GET('/v1/campaign/{id}', { params: { path: { id } }, headers: after })
const listed = await ada.POST('/v1/campaign/list/v2', { body: { name: 'Renamed' }, headers: after })
const archived = await ada.POST('/v1/campaign/archive/toggle', {
  body: id,
  bodySerializer: String,
  headers: { 'content-type': 'text/plain' },
})

console.log(
  JSON.stringify({
    name: read.data?.data.name,
    budget: read.data?.data.budget,
    stale: stale.error?.type.code,
    listed: listed.data?.data.data.map((row) => row.name),
    archived: archived.data?.data.status_key,
  }),
)
