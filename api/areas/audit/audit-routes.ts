import type { FastifyInstance } from 'fastify'
import * as audits from '#contract/audit'
import type { AuditServed } from './uses.ts'
import { callerOf } from '#api/http/person'
import { register } from '#api/http/register'
import { createAuditCalls } from './audit-calls.ts'

/** The auditor's reads of the log itself. */
export function registerAuditRoutes(app: FastifyInstance, kit: AuditServed): void {
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
  register(app, guards, audits.campaignBlame, async (call) => audit.blame(callerOf(call), call.params.id))
  register(app, guards, audits.verifyCampaign, async (call) => audit.verify(callerOf(call), call.params.id))
}
