import { endpoint, named } from './http.ts'
import { z } from './zod.ts'

const entries = named('Whitelists', z.array(z.object({ name: z.string(), size: z.number(), created_at: z.string() })))
const byName = { name: z.string() }

/** The calls of one variant: whitelists of a space, or of a campaign (decisions G-167). */
function calls<Key extends 'spaceId' | 'campaignId'>(of: 'space' | 'campaign', key: Key, list: string, one: string) {
  const id = z.object({ [key]: z.string() } as { [K in Key]: z.ZodMiniString })
  const idAndName = z.object({ [key]: z.string(), ...byName } as { [K in Key | 'name']: z.ZodMiniString })
  return {
    list: endpoint({
      id: `whitelist.${of}.list`,
      reads: [],
      method: 'GET',
      path: `/v1/campaign/${list}/:${key}`,
      access: 'campaign.read',
      summary: `Whitelists of a ${of}, oldest first`,
      params: id,
      output: entries,
    }),
    upload: endpoint({
      id: `whitelist.${of}.upload`,
      reads: [],
      method: 'POST',
      path: `/v1/campaign/${one}/:${key}`,
      access: 'campaign.write',
      summary: 'Upload a whitelist: a name and a file of one domain or bundle id per line, under 10,485,760 bytes, five at most',
      params: id,
      body: 'multipart',
      output: entries,
      write: true,
    }),
    download: endpoint({
      id: `whitelist.${of}.download`,
      reads: [],
      method: 'GET',
      path: `/v1/campaign/${one}/:${key}/:name`,
      access: 'campaign.read',
      summary: 'The uploaded bytes in base64; the name stands in the filename header',
      params: idAndName,
      output: z.unknown(),
      raw: true,
      download: true,
    }),
    remove: endpoint({
      id: `whitelist.${of}.remove`,
      reads: [],
      method: 'DELETE',
      path: `/v1/campaign/${one}/:${key}/:name`,
      access: 'campaign.write',
      summary: 'Remove a whitelist',
      params: idAndName,
      output: entries,
      write: true,
    }),
  }
}

export const spaceWhitelists = calls('space', 'spaceId', 'whitelists', 'whitelist')
export const campaignWhitelists = calls('campaign', 'campaignId', 'campaign-whitelists', 'campaign-whitelist')

export const WHITELIST_ENDPOINTS = [...Object.values(spaceWhitelists), ...Object.values(campaignWhitelists)]
