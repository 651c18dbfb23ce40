import type { FastifyInstance } from 'fastify'
import { mayEver, reachOf, type Action, type Actor } from '#domain/kit/access'
import type { Fault } from '#domain/kit/errors'
import { readMetadata } from '#domain/kit/event-metadata'
import { fromMicros, MICROS } from '#domain/kit/money'
import { isTimeZone, offsetAt } from '#domain/kit/time-zone'
import { invoicingFaults, PAID_BY, tidiedInvoicing, type Invoicing } from '#domain/white-label/invoicing'
import { environmentOf } from '#domain/white-label/hosts'
import {
  decodeWhiteLabelEvent,
  evolve as evolveWhiteLabel,
  initial as initialWhiteLabel,
  whiteLabelOf,
  whiteLabelStream,
  type Branding,
  type WhiteLabel,
  type WhiteLabelCommand,
} from '#domain/white-label/white-label'
import { fault } from '#domain/kit/faults'
import { isEmail } from '#domain/kit/validators'
import type { Team } from '#commands/identity/team'
import { housesOf } from '#projections/account/accounts'
import type { ApprovalCommand } from '#platform/approvals/second-person'
import * as contract from '#contract/white-label'
import { whitelabelInfo } from '#contract/white-label-info'
import type { z } from '#contract/zod'
import { momentOf } from '../as-of.ts'
import { contextOf, homeOrChosen } from '#api/http/caller'
import type { Call } from '#api/http/call'
import type { Served } from '#api/areas/services'
import { between, noteChanges } from '#api/http/recorded-changes'
import { callerOf, personOf } from '#api/http/person'
import { register } from '#api/http/register'
import { accepted, Refused, refused } from '#commands/refused'
import { isGoverned, logoPath } from './white-labels.ts'
import { exampleInvoice, exampleMail } from './previews.ts'
import { brandingOf, infoOf, shownSettingsOf } from './white-label-info.ts'

type Changes = z.output<typeof contract.saveWhiteLabel.input>

/** The white-label of the host, the caller's own one, and for system administrators every one. */
export function registerWhiteLabelRoutes(
  app: FastifyInstance,
  kit: Served<
    | 'accounts'
    | 'commands.accounts'
    | 'commands.whiteLabels'
    | 'db'
    | 'files'
    | 'invoices'
    | 'links'
    | 'media'
    | 'secondPerson'
    | 'store'
    | 'templates'
    | 'whiteLabels'
  >,
  team: Team,
): void {
  const { secondPerson, commands, config, db, derivedId, files, guards, now, store, whiteLabels } = kit

  /** The account of the staff; a new one has the id under which it is opened. */
  const houseFor = (id: string, houses: ReadonlyMap<string, string>) => houses.get(id) ?? derivedId('house', id)
  const out = async (label: WhiteLabel) => shown(label, now(), houseFor(label.id, await housesOf(db)))

  /** The white-label of this id, in the caller's reach; another one is not found. */
  function reached(actor: Actor, action: Action, id: string): WhiteLabel {
    if (!mayEver(actor, action)) throw refused(3)
    const label = whiteLabels.find(id)
    if (label === null || (reachOf(actor, action) !== 'all' && id !== actor.whitelabelId)) throw refused(170)
    return label
  }

  /** The white-label as of the moment that a call asks for, from its own events; 170 where it did not exist yet. */
  async function then(call: Parameters<typeof momentOf>[0], label: WhiteLabel): Promise<WhiteLabel> {
    const at = momentOf(call, now)
    if (at === null) return label
    const stored = await store.readStream(whiteLabelStream(label.id))
    const until = stored.filter(({ metadata }) => readMetadata(metadata).at <= at)
    const past = whiteLabelOf(label.id, until.map(decodeWhiteLabelEvent).reduce(evolveWhiteLabel, initialWhiteLabel))
    if (past === null) throw refused(170)
    return past
  }

  async function execute(call: Call, action: Action, id: string, command: WhiteLabelCommand) {
    const caller = callerOf(call)
    const place = { spaceId: caller.actor.homeSpaceId, whitelabelId: caller.actor.whitelabelId }
    const outcome = await commands.whiteLabels.execute(id, contextOf(caller, place, action), command)
    if (outcome.kind === 'rejected') throw new Refused({ ...outcome.rejection, faults: outcome.rejection.faults.map(onWire) })
    whiteLabels.stored(id, outcome.state, outcome.revision)
    const label = whiteLabelOf(id, outcome.state)
    if (label === null) throw refused(170)
    return { label, position: String(outcome.position) }
  }

  const answer = async (done: ReturnType<typeof execute>) => {
    const { label, position } = await done
    return { ...(await out(label)), position }
  }

  /** Whether the caller may use this file as a logo: an image that was uploaded in one of their accounts. */
  async function isUsableLogo(actor: Actor, id: string): Promise<boolean> {
    const usable = await files.usable([id], [...new Set([actor.homeSpaceId, homeOrChosen(actor)])])
    return usable.get(id)?.contentType.startsWith('image/') === true
  }

  async function save(
    call: Call,
    id: string,
    { name, time_zone, timezone_offset_seconds, file_id, whitelabel_settings = {}, invoicing }: Changes,
  ) {
    const { actor } = callerOf(call)
    const before = reached(actor, 'whitelabel.customise', id)
    const {
      own_approval,
      second_factor_required,
      staff_idle_minutes,
      staff_networks,
      payment_approval_limit: limit,
      second_person_for_roles,
      invoice_automatically,
      api_key_days,
      api_keys_exchange_only,
      switch_reason_required,
      reject_reasons,
      review_checklist,
      second_look_share,
      banned_words,
      ...settings
    } = whitelabel_settings
    const payment_approval_limit = typeof limit === 'number' ? Math.round(limit * MICROS) : limit
    const branding = given<Branding>({ ...settings, name, time_zone, timezone_offset_seconds, logo_file_id: file_id })
    const isNewLogo = typeof file_id === 'string' && file_id !== '' && file_id !== before.logo_file_id
    const logoUsable = !isNewLogo || (await isUsableLogo(actor, file_id))
    const raises =
      payment_approval_limit !== undefined && isRaised(before.settings.payment_approval_limit, payment_approval_limit)
    const freesRoles = second_person_for_roles === false && before.settings.second_person_for_roles
    const { alone: applied, waiting: payment } = paidBy(given<Invoicing>(invoicing ?? {}), before)
    const toConfirm: readonly ApprovalCommand[] = [
      ...(isEmpty(payment) ? [] : [{ kind: 'invoicing', invoicing: payment, comment: '' } as const]),
      ...(raises ? [{ kind: 'limit', limit: payment_approval_limit, comment: '' } as const] : []),
      ...(freesRoles ? [{ kind: 'roles_alone', comment: '' } as const] : []),
    ]
    // Claimed before the event refers to it: housekeeping removes files that nothing refers to.
    if (isNewLogo && logoUsable) await files.claim([file_id])
    const done = await execute(call, 'whitelabel.customise', id, {
      type: 'ChangeWhiteLabel',
      branding,
      settings: given({
        own_approval,
        second_factor_required,
        staff_idle_minutes,
        staff_networks,
        payment_approval_limit: raises ? undefined : payment_approval_limit,
        second_person_for_roles: freesRoles ? undefined : second_person_for_roles,
        invoice_automatically,
        api_key_days,
        api_keys_exchange_only,
        switch_reason_required,
        reject_reasons,
        review_checklist,
        second_look_share,
        banned_words,
      }),
      ...(isEmpty(applied) ? {} : { invoicing: applied }),
      now: now(),
      logoUsable,
      from: isGoverned(actor) ? call.address : null,
    })
    // The sign-in page and mails show it to everybody.
    if (isNewLogo) await files.review([file_id])
    let approval_id: string | null = null
    for (const command of toConfirm) {
      const askedId = derivedId('by-hand', call.commandId, ...(command.kind === 'limit' ? [] : [command.kind]))
      const asked = { id: askedId, whitelabelId: id, spaceId: null, userId: actor.userId, command }
      const waits = await secondPerson.askOnce(asked)
      if (waits === null) throw refused(134)
      approval_id ??= waits
    }
    const paid = PAID_BY.filter((field) => done.label.invoicing[field] !== before.invoicing[field])
    if (paid.length > 0)
      await secondPerson.mailOthers({
        id: call.commandId,
        whitelabelId: id,
        what: 'invoicing',
        by: [actor.userId],
        fields: paid.join(', '),
      })
    const asked = between(before.invoicing, { ...before.invoicing, ...payment }, 'waits invoicing.')
    return { ...done, approval_id, changes: [...changesOf(before, done.label), ...asked] }
  }

  register(app, guards, whitelabelInfo, async ({ whiteLabel, hostname }) =>
    infoOf(whiteLabel, { environment: environmentOf(hostname), config, now: now() }),
  )

  register(app, guards, contract.previewInvoice, async (call, reply) => {
    const label = reached(personOf(call), 'whitelabel.customise', call.params.id)
    const { invoicing = {}, language, ...unsaved } = call.body
    const document = await exampleInvoice(kit, label, { ...unsaved, invoicing: given<Invoicing>(invoicing) }, language)
    return reply
      .type('application/pdf')
      .headers({ 'Content-Disposition': 'inline; filename="preview.pdf"', 'X-Content-Type-Options': 'nosniff' })
      .send(Buffer.from(await kit.invoices.render(document)))
  })

  register(app, guards, contract.previewMail, async (call) => {
    const label = reached(personOf(call), 'whitelabel.customise', call.params.id)
    const { language, ...shownMail } = call.body
    return exampleMail(kit, label, shownMail, { language, origin: kit.links.originOf(label.id), logoPath: logoPath(label) })
  })

  register(app, guards, contract.listWhiteLabels, async () => {
    await whiteLabels.refresh()
    const houses = await housesOf(db)
    return { data: whiteLabels.all().map((label) => shown(label, now(), houseFor(label.id, houses))) }
  })

  register(app, guards, contract.readWhiteLabel, async (call) => {
    await whiteLabels.refresh()
    return await out(await then(call, reached(personOf(call), 'whitelabel.customise', call.params.id)))
  })

  register(app, guards, contract.saveWhiteLabel, async (call, reply) => {
    const { label, position, approval_id, changes } = await save(call, call.params.id, call.body)
    noteChanges(reply.request, changes)
    return { ...(await out(label)), position, approval_id }
  })

  register(app, guards, contract.createWhiteLabel, async (call) => {
    const { id, name, time_zone: timeZone = null } = call.body
    const zone = timeZone !== null && isTimeZone(timeZone) ? offsetAt(timeZone, now()) : 0
    const timezoneOffsetSeconds = call.body.timezone_offset_seconds ?? zone
    const command = { type: 'CreateWhiteLabel', name, timezoneOffsetSeconds, timeZone } as const
    const email = call.body.owner_email?.trim().toLowerCase()
    if (email !== undefined) {
      if (!isEmail(email)) throw refused(2, [fault('owner_email', 2, 'emailAddress')])
      if (call.identity.kind !== 'person') throw refused(3)
      await guards.requireProof(call.identity)
    }
    const done = await execute(call, 'whitelabel.manage', id, command)
    const opened = await openHouse(call, done.label)
    const position = email === undefined ? opened : await inviteOwner(call, done.label, email)
    return { ...(await out(done.label)), position }
  })

  /** Invites the first owner. After a crash before it, a repeat of the call or an invitation into the house does. */
  async function inviteOwner(call: Call, { id, name }: WhiteLabel, email: string): Promise<string> {
    const caller = callerOf(call)
    const place = { spaceId: derivedId('house', id), whitelabelId: id }
    const context = {
      ...contextOf(caller, place, 'whitelabel.manage'),
      command_id: derivedId('first-owner', id),
      body_hash: null,
    }
    // The name that they have until they enter their own.
    const invitee = { email, first_name: 'New', last_name: 'Owner', roles: ['WL_OWNER'] } as const
    const { position } = await team.invite({ ...place, name }, { context, byAdministrator: true }, invitee)
    return String(position)
  }

  /** Opens the account of the white-label's staff. After a crash before it, `houses` opens it. */
  async function openHouse(call: Call, { id, name }: WhiteLabel): Promise<string> {
    const caller = callerOf(call)
    const spaceId = derivedId('house', id)
    const place = { spaceId, whitelabelId: id }
    const outcome = accepted(
      await commands.accounts.execute(
        spaceId,
        { ...contextOf(caller, place, 'whitelabel.manage'), command_id: derivedId('open-house', id), body_hash: null },
        { type: 'OpenAccount', spaceId, whitelabelId: id, name, currency: 'USD', house: true },
      ),
    )
    return String(outcome.position)
  }

  register(app, guards, contract.suspendWhiteLabel, (call) => {
    reached(personOf(call), 'whitelabel.manage', call.params.id)
    const command = { type: 'SuspendWhiteLabel', reason: call.body.reason ?? '' } as const
    return answer(execute(call, 'whitelabel.manage', call.params.id, command))
  })

  register(app, guards, contract.restoreWhiteLabel, (call) => {
    reached(personOf(call), 'whitelabel.manage', call.params.id)
    return answer(execute(call, 'whitelabel.manage', call.params.id, { type: 'RestoreWhiteLabel' }))
  })

  register(app, guards, contract.readSettings, async (call) => {
    await whiteLabels.refresh()
    const label = reached(personOf(call), 'whitelabel.customise', personOf(call).whitelabelId)
    const { own_approval } = (await then(call, label)).settings
    return { own_approval }
  })

  register(app, guards, contract.saveSettings, async (call, reply) => {
    const { own_approval } = call.body
    const { position, changes } = await save(call, personOf(call).whitelabelId, { whitelabel_settings: { own_approval } })
    noteChanges(reply.request, changes)
    return { own_approval, position }
  })
}

/**
 * Whom and where customers pay waits for a second person while money by hand has a limit (fine print 63); what cannot be used is refused
 * at once.
 */
function paidBy(sent: Partial<Invoicing>, { invoicing: present, settings }: WhiteLabel) {
  if (settings.payment_approval_limit === null) return { alone: sent, waiting: {} }
  const tidied = tidiedInvoicing(sent, present)
  const waiting = Object.fromEntries(
    PAID_BY.filter((field) => tidied[field] !== present[field]).map((field) => [field, tidied[field]]),
  ) as Partial<Invoicing>
  const faults = isEmpty(waiting) ? [] : invoicingFaults(tidied)
  if (faults.length > 0) throw new Refused({ code: 2, faults })
  const alone = Object.entries(sent).filter(([field]) => !PAID_BY.some((one) => one === field))
  return { alone: Object.fromEntries(alone) as Partial<Invoicing>, waiting }
}

/** Old and new values of what a save changed. */
const changesOf = ({ settings, invoicing, ...branding }: WhiteLabel, after: WhiteLabel) => {
  const { settings: newSettings, invoicing: newInvoicing, ...newBranding } = after
  return [...between(branding, newBranding), ...between(settings, newSettings), ...between(invoicing, newInvoicing, 'invoicing.')]
}

const isEmpty = (fields: object): boolean => Object.keys(fields).length === 0

/** A higher limit, or none, needs a second person (fine print 63). */
const isRaised = (before: number | null, after: number | null): boolean => before !== null && (after === null || after > before)

/** The fields that were sent. */
const given = <T>(fields: { readonly [K in keyof T]?: T[K] | undefined }): Partial<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>

/** Fields that are on the wire under other names than in the domain. */
const AT_TOP: Readonly<Record<string, string>> = {
  id: 'id',
  name: 'name',
  reason: 'reason',
  time_zone: 'time_zone',
  timezone_offset_seconds: 'timezone_offset_seconds',
  logo_file_id: 'file_id',
}

const onWire = (fault: Fault): Fault =>
  fault.path.startsWith('invoicing.') ? fault : { ...fault, path: AT_TOP[fault.path] ?? `whitelabel_settings.${fault.path}` }

const shown = (label: WhiteLabel, now: string, house: string): contract.WhiteLabelOut => ({
  ...brandingOf(label, now),
  house_space_id: house,
  suspended: label.suspended,
  invoicing: label.invoicing,
  whitelabel_settings: {
    ...shownSettingsOf(label),
    ...label.settings,
    staff_networks: [...label.settings.staff_networks],
    reject_reasons: [...label.settings.reject_reasons],
    review_checklist: [...label.settings.review_checklist],
    banned_words: [...label.settings.banned_words],
    payment_approval_limit:
      label.settings.payment_approval_limit === null ? null : fromMicros(label.settings.payment_approval_limit),
  },
})
