import type { FastifyInstance } from 'fastify'
import * as audits from '#contract/audit'
import type { TransparencyLog } from '#commands/audit/transparency-log'
import type { Served } from '#api/areas/services'
import { callerOf } from '#api/http/person'
import { register } from '#api/http/register'
import { refused } from '#commands/refused'
import { createAuditCalls } from './audit-calls.ts'

/** The auditor's reads of the log itself. */
export function registerAuditRoutes(
  app: FastifyInstance,
  kit: Served<'campaigns' | 'db' | 'people' | 'store'>,
  transparency: TransparencyLog,
): void {
  const { guards } = kit
  const audit = createAuditCalls(kit)

  register(app, guards, audits.campaignEvents, async (call) =>
    audit.events(callerOf(call), call.params.id, call.query.from, call.query.limit),
  )
  register(app, guards, audits.campaignAt, async (call) =>
    audit.at(callerOf(call), call.params.id, call.query.revision, call.query.time),
  )
  register(app, guards, audits.campaignDiff, async (call) =>
    audit.diff(callerOf(call), call.params.id, call.query.from, call.query.to),
  )
  register(app, guards, audits.campaignBlame, async (call) => audit.blame(callerOf(call), call.params.id, call.query.revision))
  register(app, guards, audits.verifyCampaign, async (call) => audit.verify(callerOf(call), call.params.id))

  register(app, guards, audits.logCheckpoint, async (call, reply) =>
    reply.type('text/plain; charset=utf-8').send(await transparency.checkpoint(call.query.size)),
  )
  register(app, guards, audits.logKeys, async () => transparency.keys())
  register(app, guards, audits.logHead, async () => transparency.head())
  register(app, guards, audits.signCheckpoint, async () => transparency.sign())
  register(app, guards, audits.logProof, async ({ query: { event, size, from, to } }) => {
    if (event !== undefined && from === undefined && to === undefined) return transparency.inclusion(event, size)
    if (from !== undefined && event === undefined && size === undefined) return transparency.consistency(from, to)
    throw refused(2)
  })
}
