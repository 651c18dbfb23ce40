import type { FastifyInstance } from 'fastify'
import { mayEver, rightsAt, type Place } from '#domain/kit/access'
import { languageOf, languageOfLocale } from '#domain/kit/languages'
import { followedAddresses, type AddressFault } from '#domain/campaign/review/followed-addresses'
import { findingsIn, suggestedReasons } from '#domain/campaign/review/simple-checks'
import * as contract from '#contract/moderation'
import { reviewFindings } from '#contract/review-findings'
import type { Call } from '#api/http/call'
import { authorize } from '#api/http/caller'
import { callerOf, personOf } from '#api/http/person'
import { register } from '#api/http/register'
import { refused } from '#commands/refused'
import type { AddressChecks } from '#platform/outgoing/address-checks'
import type { Hold, ReviewHolds } from '#platform/campaign/review-holds'
import { moderatorsOf, ownersOf } from '#projections/account/people'
import { readableCampaign } from './readable-campaign.ts'
import type { Served } from '#api/areas/services'
import { seesOwnerFields } from './wire.ts'

type Kept = {
  readonly holds: ReviewHolds
  /** Null where no address is fetched. */
  readonly addresses: AddressChecks | null
}

/** The moderator who reviews a submission now, and the one who should (fine print 101). */
export function registerReviewRoutes(
  app: FastifyInstance,
  deps: Served<'campaigns' | 'db' | 'people' | 'whiteLabels'>,
  { holds, addresses }: Kept,
): void {
  const { guards } = deps

  /** The place of a campaign that the caller may decide about: never one of their own space (access.md). */
  async function reviewed(call: Call, id: string, action: 'campaign.moderate' | 'review.assign'): Promise<Place> {
    const actor = personOf(call)
    const place = await deps.campaigns.placeOf(id)
    authorize(actor, action, place)
    if (place.spaceId === actor.homeSpaceId) throw refused(3)
    return place
  }

  async function shown(hold: Hold | null) {
    if (hold === null) return null
    const { personId: id, ...times } = hold
    return { id, name: (await deps.people.namesOf([id])).get(id)?.name ?? '', ...times }
  }

  /** Staff of a white-label who may moderate now. */
  async function moderatorsIn(call: Call, whitelabelId: string) {
    const people = await moderatorsOf(deps.db, whitelabelId, personOf(call).roles)
    return people.filter(({ roles, rights }) => mayEver({ roles, rights: rightsAt(rights, deps.now()) }, 'campaign.moderate'))
  }

  register(app, guards, contract.holdSubmission, async (call) => {
    const { campaign_id: campaignId, take_over } = call.body
    await reviewed(call, campaignId, 'campaign.moderate')
    const hold = await holds.take({ campaignId, personId: personOf(call).userId, takeOver: take_over === true })
    return { holder: await shown(hold) }
  })

  register(app, guards, contract.releaseSubmission, async (call) => {
    await reviewed(call, call.body.campaign_id, 'campaign.moderate')
    await holds.release(call.body.campaign_id, personOf(call).userId)
    return {}
  })

  register(app, guards, contract.assignSubmission, async (call) => {
    const { campaign_id: campaignId, moderator_id: personId } = call.body
    const place = await reviewed(call, campaignId, 'review.assign')
    if (personId !== null && !(await moderatorsIn(call, place.whitelabelId)).some(({ id }) => id === personId))
      throw refused(131, [{ path: 'moderator_id', code: 131, message: 'No moderator of this white-label has this id' }])
    if (!(await holds.assign(campaignId, personId))) throw refused(136)
    return {}
  })

  register(app, guards, contract.reviewGuidelines, async (call) => {
    const { spaceId, whitelabelId } = await reviewed(call, call.params.id, 'campaign.moderate')
    const { reject_reasons, review_checklist } = await deps.whiteLabels.settingsOf(whitelabelId)
    const [owner] = await ownersOf(deps.db, spaceId)
    const language =
      owner === undefined ? languageOfLocale(deps.whiteLabels.brandOf(whitelabelId).locale) : languageOf(owner.language_key)
    return { language, reasons: reject_reasons.filter(({ active }) => active), checklist: [...review_checklist] }
  })

  register(app, guards, reviewFindings, async (call) => {
    const place = await reviewed(call, call.params.id, 'campaign.moderate')
    const { state } = await readableCampaign(deps, callerOf(call), call.params.id, 'campaign.moderate')
    const { reject_reasons, banned_words } = await deps.whiteLabels.settingsOf(place.whitelabelId)
    // Values of owner fields are for those who may read them.
    const hidden = seesOwnerFields(personOf(call), place) ? {} : { impression_url: null, custom_html: null }
    const faults =
      addresses === null
        ? []
        : [...new Set(followedAddresses(state.head).map(({ value }) => value))].map(
            (url) => [url, addresses.faultOf(url)] as const,
          )
    const dead = faults.flatMap(([url, fault]): [string, AddressFault][] =>
      fault === null || fault === undefined ? [] : [[url, fault]],
    )
    const found = findingsIn({ ...state.head, ...hidden }, banned_words, new Map(dead))
    const reasons = suggestedReasons(
      found,
      reject_reasons.filter(({ active }) => active),
    )
    const checking = faults.some(([, fault]) => fault === undefined)
    return { revision: state.revision, total: found.total, checking, findings: [...found.shown], reasons: [...reasons] }
  })

  register(app, guards, contract.listModerators, async (call) => ({
    people: (await moderatorsIn(call, personOf(call).whitelabelId)).map(({ id, name }) => ({ id, name })),
  }))
}
