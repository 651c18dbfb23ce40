import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import '@fastify/multipart'
import { WHITELIST_BYTES } from '#domain/campaign/content/whitelist-rules'
import { doneOrRefused } from '../campaign/answers.ts'
import { authorize, issueOf, type Caller } from '#api/http/caller'
import type { Place } from '#domain/kit/access'
import { campaignWhitelists, spaceWhitelists } from '#contract/whitelists'
import { refusedFile } from '#commands/files/file-fault'
import type { PlacedOwner, WhitelistOwner, Whitelists } from '#platform/whitelists/whitelists'
import { callerOf } from '#api/http/person'
import { readParts } from '#api/http/multipart'
import type { Served } from '#api/areas/services'
import { register } from '#api/http/register'
import { refused } from '#commands/refused'

/** Whitelists of spaces and of campaigns. Out of reach means not found: 110 for a space, 130 for a campaign. */
export function registerWhitelistRoutes(
  app: FastifyInstance,
  kit: Served<'accounts' | 'campaigns' | 'commands.campaigns'>,
  whitelists: Whitelists,
): void {
  const { guards } = kit
  const { campaigns } = kit.commands

  async function ofSpace(caller: Caller, spaceId: string, action: 'campaign.read' | 'campaign.write'): Promise<PlacedOwner> {
    const account = await kit.accounts.opened(spaceId)
    if (account === null) throw refused(110)
    authorize(caller.actor, action, { spaceId: account.space_id, whitelabelId: account.whitelabel_id }, 110)
    return { kind: 'space', id: spaceId, spaceId }
  }

  async function ofCampaign(caller: Caller, id: string, action: 'campaign.read' | 'campaign.write') {
    const place = await kit.campaigns.placeOf(id)
    authorize(caller.actor, action, place)
    return { place, owner: { kind: 'campaign', id, spaceId: place.spaceId } as const }
  }

  /**
   * The campaign records whether it has whitelists; a change is one revision like any other. Checked again after each save,
   * because lists may change concurrently: after the last change, the lists and the campaign agree.
   */
  async function noted(caller: Caller, owner: WhitelistOwner, place: Place): Promise<void> {
    let said: boolean | null = null
    for (let n = 0; ; n++) {
      const has_whitelist = (await whitelists.list(owner)).length > 0
      if (has_whitelist === said) return
      const again = n === 0 ? caller : { ...caller, commandId: `${caller.commandId}:${n}` }
      const request = { patch: { has_whitelist }, newIds: [], expected: null }
      doneOrRefused(await campaigns.update(owner.id, issueOf(again, place, false), request))
      said = has_whitelist
    }
  }

  register(app, guards, spaceWhitelists.list, async (call) =>
    whitelists.list(await ofSpace(callerOf(call), call.params.spaceId, 'campaign.read')),
  )
  register(app, guards, spaceWhitelists.upload, async (call, reply) => {
    const caller = callerOf(call)
    const owner = await ofSpace(caller, call.params.spaceId, 'campaign.write')
    const { name, content } = await readParts(() => uploaded(reply.request))
    return call.once({ name, bytes: content }, async () => {
      await whitelists.add(owner, name, content, caller.actor.userId)
      return whitelists.list(owner)
    })
  })
  register(app, guards, spaceWhitelists.download, async (call, reply) => {
    const owner = await ofSpace(callerOf(call), call.params.spaceId, 'campaign.read')
    return sent(reply, call.params.name, await whitelists.read(owner, call.params.name))
  })
  register(app, guards, spaceWhitelists.remove, async (call) => {
    const owner = await ofSpace(callerOf(call), call.params.spaceId, 'campaign.write')
    if (!(await whitelists.remove(owner, call.params.name))) throw refused(131)
    return whitelists.list(owner)
  })

  register(app, guards, campaignWhitelists.list, async (call) => {
    const { owner } = await ofCampaign(callerOf(call), call.params.campaignId, 'campaign.read')
    return whitelists.list(owner)
  })
  register(app, guards, campaignWhitelists.upload, async (call, reply) => {
    const caller = callerOf(call)
    const { place, owner } = await ofCampaign(caller, call.params.campaignId, 'campaign.write')
    const { name, content } = await readParts(() => uploaded(reply.request))
    return call.once({ name, bytes: content }, async () => {
      await whitelists.add(owner, name, content, caller.actor.userId)
      try {
        await noted(caller, owner, place)
      } catch (error) {
        // Refused, as for an archived campaign: the upload leaves nothing stored.
        await whitelists.remove(owner, name)
        throw error
      }
      return whitelists.list(owner)
    })
  })
  register(app, guards, campaignWhitelists.download, async (call, reply) => {
    const { owner } = await ofCampaign(callerOf(call), call.params.campaignId, 'campaign.read')
    return sent(reply, call.params.name, await whitelists.read(owner, call.params.name))
  })
  register(app, guards, campaignWhitelists.remove, async (call) => {
    const caller = callerOf(call)
    const { place, owner } = await ofCampaign(caller, call.params.campaignId, 'campaign.write')
    // An archived campaign refuses this before anything is removed.
    const nothing = { patch: {}, newIds: [], expected: null }
    doneOrRefused(await campaigns.update(owner.id, issueOf(caller, place, true), nothing))
    if (!(await whitelists.remove(owner, call.params.name))) throw refused(131)
    await noted(caller, owner, place)
    return whitelists.list(owner)
  })
}

/** Base64, and the name in both headers (decisions G-020), percent-encoded where a header cannot carry it. */
function sent(reply: FastifyReply, name: string, content: Buffer | null) {
  if (content === null) throw refused(131)
  const filename = encodeURIComponent(name)
  void reply.headers({
    filename,
    'Content-Disposition': `attachment; filename="${filename}"; filename*=UTF-8''${filename}`,
    'Content-Type': 'text/plain; charset=utf-8',
    'X-Content-Type-Options': 'nosniff',
  })
  return reply.send(content.toString('base64'))
}

/** Name and file of a multipart body, in either order. A stream cut at its limit looks complete: check its flag. */
async function uploaded(request: FastifyRequest): Promise<{ readonly name: string; readonly content: Buffer }> {
  if (!request.isMultipart())
    throw refused(2, [{ path: 'file', code: 2, message: 'A multipart body with a name and a file is expected' }])
  let name = ''
  let content: Buffer | null = null
  // A file of exactly the limit is too large.
  const limits = { fileSize: WHITELIST_BYTES - 1, files: 1, fields: 10, parts: 12 }
  for await (const part of request.parts({ limits })) {
    if (part.type === 'field') {
      if (part.fieldname === 'name' && typeof part.value === 'string') name = part.value.trim()
      continue
    }
    const chunks: Buffer[] = []
    for await (const chunk of part.file) chunks.push(chunk)
    if (part.file.truncated) throw refusedFile('file', 181, 'whitelistBytes')
    content = Buffer.concat(chunks)
  }
  if (content === null) throw refusedFile('file', 2, 'required')
  return { name, content }
}
