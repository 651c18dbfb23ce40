import type { FastifyInstance } from 'fastify'
import { exportLog, MOST_EXPORTED } from '#contract/audit-export'
import { createExporter, type ExportRequest } from '#commands/audit/export-log'
import type { ExportFilters } from '#proof/offline/export-format'
import { mayEver, reachOf, type Actor } from '#domain/kit/access'
import { refused } from '#commands/refused'
import { authorize } from '#api/http/caller'
import { personOf } from '#api/http/person'
import { register } from '#api/http/register'
import { streamed } from '#api/http/streamed'
import type { LogStores, TransparencyLog } from '#commands/audit/transparency-log'
import type { Served } from '#api/areas/services'

/** The signed export of what the caller reaches. */
export function registerExportRoutes(
  app: FastifyInstance,
  kit: Served<'accounts' | 'store'>,
  { log, heads }: TransparencyLog,
  stores: LogStores,
): void {
  const { accounts, guards, now, store } = kit
  const exported = createExporter({
    store,
    tree: stores.tree,
    log,
    signNow: heads.signNow,
    heads: stores.heads,
    reveal: guards.reveal,
    now,
  })

  /** The filters with the white-label that the caller is confined to. Refuses an account and a white-label out of reach. */
  async function reached(actor: Actor, asked: ExportFilters): Promise<ExportFilters> {
    const confined = reachOf(actor, 'log.verify') === 'all' ? null : actor.whitelabelId
    const { white_label, space } = asked
    if (white_label !== null && confined !== null && white_label !== confined) throw refused(131)
    if (space !== null) {
      const account = await accounts.find(space)
      authorize(actor, 'log.verify', account === null ? null : { spaceId: space, whitelabelId: account.whitelabel_id }, 110)
    }
    return { ...asked, white_label: white_label ?? confined }
  }

  register(app, guards, exportLog, async (call, reply) => {
    const actor = personOf(call)
    const { after, up_to, limit, personal, types, white_label, space, actor: by, from, to } = call.query
    const isPersonal = personal === 'true'
    if (isPersonal && !mayEver(actor, 'log.read')) throw refused(3)
    const request: ExportRequest = {
      after: BigInt(after ?? 0),
      upTo: up_to === undefined ? null : BigInt(up_to),
      limit: limit ?? MOST_EXPORTED,
      filters: await reached(actor, {
        white_label: white_label ?? null,
        space: space ?? null,
        actor: by ?? null,
        types: types === undefined ? null : types.split(',').map((type) => type.trim()),
        from: instantOf(from, 'from'),
        to: instantOf(to, 'to'),
      }),
      personal: isPersonal,
    }
    return reply
      .type('application/x-ndjson; charset=utf-8')
      .headers({ 'Content-Disposition': 'attachment; filename="placard-log.ndjson"', 'X-Content-Type-Options': 'nosniff' })
      .send(streamed(exported(request)))
  })
}

/** The instant as events have it; null without one. */
export function instantOf(text: string | undefined, path: string): string | null {
  if (text === undefined) return null
  const instant = Date.parse(text)
  if (Number.isNaN(instant)) throw refused(11, [{ path, code: 11, message: 'Invalid date format' }])
  return new Date(instant).toISOString()
}
