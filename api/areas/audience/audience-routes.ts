import { AUDIENCE_STATUS } from '#domain/audience/audience-status'
import type { StoreAudienceRequest } from '#platform/audience/resource-requests'
import { actorNamer } from '#commands/identity/person'
import type { FastifyInstance } from 'fastify'
import { visitorRuleFaults } from '#domain/audience/visitor-rules'
import { statusOf, type AudienceCommand } from '#domain/audience/audience'
import { refusalOf, reject } from '#domain/kit/errors'
import type { RuleGroup } from '#domain/campaign/content/content'
import { countAudiences, findAudience, listAudiences as pageOf, versionsOf } from '#projections/audience/queries'
import { idsIn } from '#domain/campaign/saving/references'
import { audienceUses } from '#projections/campaign/list/audience-queries'
import * as contract from '#contract/audiences'
import { contextOf, type Caller } from '#api/http/caller'
import type { Place } from '#domain/kit/access'
import { streamCsv } from '#api/http/csv'
import type { Served } from '#api/areas/services'
import { callerOf, personOf } from '#api/http/person'
import { register } from '#api/http/register'
import { RESOURCE_REQUESTS } from '#api/http/limits/calls'
import { ReadModelsBehind } from '#projections/catch-up'
import { accepted, Refused, refused } from '#commands/refused'
import { MOST_AUDIENCES, nameFaults, nameTaken, tooManyAudiences } from './faults.ts'
import { overlapsOf } from './overlap.ts'
import { createPlaces, MISSING } from './places.ts'
import { campaignsOf, itemOf, versionOf } from './views.ts'

const PAGE_SIZE = 25
/** Visitors that a preview reads: more would keep the form waiting. */
const PREVIEWED = 200_000
/** Previews of one user. */
const PREVIEWS = { limit: 60, seconds: 60 }

/** Audiences: their list, their details, and those of rules. */
export function registerAudienceRoutes(
  app: FastifyInstance,
  kit: Served<'accounts' | 'audiences' | 'caughtUp' | 'commands.audiences' | 'db' | 'limits' | 'people' | 'store'>,
  storeRequest: StoreAudienceRequest,
): void {
  const { audiences, commands, db, derivedId, guards, limits, newId, now, people } = kit
  const places = createPlaces(kit)

  register(app, guards, contract.listAudiences, async (call) => {
    const { space_id: asked, name, type, status, ids, page, page_size: size } = call.body
    const reach = await places.reach(personOf(call), 'audience.read', asked)
    const filter = { page: page ?? 0, size: size ?? PAGE_SIZE }
    const found = await pageOf(db, {
      ...reach,
      ...filter,
      ids: ids ?? null,
      name: (name ?? '').trim(),
      kind: type ?? null,
      status: status ?? null,
    })
    const uses = await audienceUses(
      db,
      found.rows.map(({ space_id }) => space_id),
    )
    return {
      current_page: filter.page,
      page_size: filter.size,
      total_size: found.total,
      data: found.rows.map((row) => itemOf(row, uses)),
    }
  })

  register(app, guards, contract.getAudience, async (call) => {
    const actor = personOf(call)
    const { id } = call.params
    const { place } = await places.audience(actor, 'audience.read', id)
    // The log has it already: its row follows.
    await kit.caughtUp(['audiences'])
    const row = await findAudience(db, id)
    if (row === null) throw refused(MISSING)
    const [versions, uses, sizes, progress] = await Promise.all([
      versionsOf(db, [id]),
      audienceUses(db, [row.space_id]),
      audiences.sets.sizes(id),
      row.status === AUDIENCE_STATUS.processing ? audiences.uploads.progress(id) : null,
    ])
    const nameOf = actorNamer(actor, place.spaceId, await people.namesOf([...new Set(versions.map((one) => one.started_by))]))
    return {
      ...itemOf(row, uses),
      rules: row.rules as never,
      progress,
      versions: versions.map((version) => versionOf(version, nameOf(version.started_by, 'AudienceVersionStarted'))),
      campaigns: campaignsOf(row, versions, uses),
      sizes: [...sizes],
    }
  })

  type Change = { readonly id: string; readonly place: Place; readonly name: string }

  /** Runs a command under a name that now belongs to the audience. */
  async function write(caller: Caller, { id, place, name }: Change, command: AudienceCommand) {
    if (!(await audiences.names.claim(place.spaceId, id, name))) throw nameTaken()
    const context = contextOf(caller, place, 'audience.write')
    const { state, position } = accepted(await commands.audiences.execute(id, context, command))
    return { id, status_key: statusOf(state.versions), version: state.versions.length, position: String(position) }
  }

  function check(name: string, rules: RuleGroup | null): void {
    const refusal = refusalOf([...nameFaults(name), ...(rules === null ? [] : visitorRuleFaults(rules))])
    if (refusal !== null) throw new Refused(refusal)
  }

  register(app, guards, contract.createDynamic, async (call) => {
    const caller = callerOf(call)
    const place = await places.inSpace(caller.actor, 'audience.write', call.body.space_id)
    const { rules } = call.body
    const name = tidied(call.body.name)
    check(name, rules)
    if ((await countAudiences(db, place.spaceId)) >= MOST_AUDIENCES) throw tooManyAudiences()
    const created = { space_id: place.spaceId, whitelabel_id: place.whitelabelId, kind: 'dynamic', name, rules } as const
    return write(caller, { id: derivedId('audience', caller.commandId), place, name }, { type: 'Create', created })
  })

  register(app, guards, contract.saveDynamic, async (call) => {
    const caller = callerOf(call)
    const { id, space_id: asked } = call.body
    const { state, place } = await places.audience(caller.actor, 'audience.write', id)
    if (asked && asked !== place.spaceId) throw refused(1420, [{ path: 'space_id', code: 1420, message: 'Space mismatch' }])
    const rules = state.kind === 'dynamic' ? (call.body.rules ?? null) : null
    const name = tidied(call.body.name)
    check(name, rules)
    return write(caller, { id, place, name }, { type: 'Change', name, rules })
  })

  register(app, guards, contract.previewAudience, async (call) => {
    const actor = personOf(call)
    const { spaceId } = await places.inSpace(actor, 'audience.read', call.body.space_id)
    const { rules } = call.body
    const refusal = refusalOf(visitorRuleFaults(rules))
    if (refusal !== null) throw new Refused(refusal)
    await limits.reserve([{ key: `audience preview ${actor.userId}`, ...PREVIEWS }])
    let members = 0
    const asked = { spaceId, rules, now: now(), most: PREVIEWED }
    const visitors = await audiences.visitors.each(asked, () => {
      members += 1
    })
    return { visitors, members, complete: visitors < PREVIEWED }
  })

  register(app, guards, contract.deleteAudience, async (call) => {
    const caller = callerOf(call)
    const { id } = call.params
    const { place } = await places.audience(caller.actor, 'audience.write', id)
    // From here on no campaign can name it. Saves that could are found here while they are under way, and below once they are done.
    await audiences.names.leave(id, true)
    try {
      if (await audiences.names.inUse(id)) throw new ReadModelsBehind()
      await kit.caughtUp(['campaign-list'])
    } catch (error) {
      await audiences.names.leave(id, false)
      throw error
    }
    const users = (await audienceUses(db, [place.spaceId])).filter((use) => idsIn(use.audiences).includes(id))
    if (users.length > 0) {
      await audiences.names.leave(id, false)
      const faults = [{ path: 'id', code: 184 as const, message: 'Audience is used by campaigns' }]
      throw new Refused(reject(184, faults), { campaigns: users.map((use) => ({ id: use.id, name: use.name })) })
    }
    const done = accepted(await commands.audiences.execute(id, contextOf(caller, place, 'audience.write'), { type: 'Delete' }))
    await audiences.sets.remove(id)
    return { id, position: String(done.position) }
  })

  register(app, guards, contract.audienceOverlap, async (call) => {
    const { place } = await places.audience(personOf(call), 'audience.read', call.params.id)
    return { audiences: [...(await overlapsOf(kit, place.spaceId, call.params.id))] }
  })

  register(app, guards, contract.rejectedRows, async (call, reply) => {
    const { id } = call.params
    await places.audience(personOf(call), 'audience.read', id)
    const version = /^[1-9]\d{0,8}$/.test(call.params.version) ? Number(call.params.version) : null
    if (version === null || !(await versionsOf(db, [id])).some((one) => one.version === version)) throw refused(MISSING)
    void reply.headers({
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="rejected-rows-${version}.csv"`,
    })
    return reply.send(streamCsv(['row', 'reason'], audiences.uploads.rejectedRows(id, version)))
  })

  register(app, guards, contract.requestAudienceResource, async (call) => {
    const { actor } = callerOf(call)
    const { spaceId } = await places.inSpace(actor, 'audience.write', null)
    await limits.reserve([{ key: `resource requests ${spaceId}`, ...RESOURCE_REQUESTS }])
    const request = { request_id: newId(), name: call.body.name, id: call.body.id, requested_at: now() }
    await storeRequest({ ...request, space_id: spaceId, requested_by: actor.userId })
    return request
  })
}

const tidied = (name: string): string => name.normalize('NFC').trim()
