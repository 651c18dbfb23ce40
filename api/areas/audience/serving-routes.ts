import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { audienceKeys, audienceMembers } from '#contract/audiences'
import { isKnown } from '#api/http/etag'
import type { Call } from '#api/http/call'
import type { Served } from '#api/areas/services'
import { register } from '#api/http/register'
import { refused } from '#commands/refused'
import { MISSING } from './places.ts'
import { isServed } from './served-audiences.ts'

/**
 * Reads of bidders: the keys of hashes, and members of what may serve (fine print 62). A credential reaches one white-label.
 */
export function registerServingRoutes(app: FastifyInstance, kit: Served<'audiences' | 'db'>): void {
  const { audiences, guards } = kit
  register(app, guards, audienceKeys, async (call) => {
    const whitelabelId = whitelabelOf(call)
    // A white-label without audiences gets its key too, so that a bidder can prepare.
    if (whitelabelId !== null) await audiences.keys.keyOf(whitelabelId)
    const keys = await audiences.keys.all(whitelabelId)
    return {
      algorithm: 'HMAC-SHA-256/128' as const,
      keys: keys.map(({ whitelabel_id, key }) => ({ whitelabel_id, key: key.toString('base64') })),
    }
  })

  register(app, guards, audienceMembers, async (call, reply) => {
    const { id: audienceId, version: asked } = call.params
    const key = { audienceId, version: /^[1-9]\d{0,8}$/.test(asked) ? Number(asked) : 0 }
    const [set] = await audiences.sets.find([key])
    const reach = whitelabelOf(call)
    if (set === undefined || (reach !== null && set.whitelabel_id !== reach)) throw refused(MISSING)
    if (!(await isServed(kit, set))) throw refused(MISSING)
    const etag = `"${set.etag}"`
    void reply.headers({ ETag: etag, 'Cache-Control': 'private, no-cache' })
    if (isKnown(reply.request, etag)) return reply.code(304).send()
    void reply.headers({ 'Content-Type': 'application/octet-stream', 'X-Members': String(set.members) })
    return reply.send(Readable.from(audiences.sets.read(key)))
  })
}

/** Null for the service token, which may act for every white-label. */
function whitelabelOf({ identity }: Call): string | null {
  if (identity.kind !== 'service') throw refused(3)
  return identity.credential?.whitelabelId ?? null
}
