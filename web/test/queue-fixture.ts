import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { toast as drawn } from 'sonner'
import { afterEach, beforeEach, vi } from 'vitest'
import type { Campaign } from '#contract/campaign-body'
import { getCampaign } from '#contract/campaign'
import type { Endpoint } from '#contract/http'
import {
  approveCampaign,
  holdSubmission,
  listModerators,
  moderationQueue,
  rejectCampaign,
  releaseSubmission,
  reviewGuidelines,
  type QueuedSubmission,
  type ReviewGuidelines,
  type ReviewHolder,
} from '#contract/moderation'
import { reviewFindings, type ReviewFindings } from '#contract/review-findings'
import { listSecondLooks } from '#contract/second-looks'
import type { Role } from '#domain/kit/access'
import { reviewDueAt } from '#domain/campaign/review/review-time'
import { pageOf, refusal, signedInServer, type FakeServer } from '@/test/fake-server'
import { renderRoute } from '@/test/render-route'
import { campaignWith } from '@/test/campaign-form'

/** A Monday. */
export const STARTED = '2026-03-02T09:00:00.000Z'
const outcome = { id: 'one', status_key: 3, status_reasons: [], revision: 4, position: '9' }

/** For tests: a campaign waiting since `started`, and its row in the queue. */
export function waiting(id: string, patch: Partial<Campaign> = {}, started = STARTED) {
  const campaign = campaignWith({
    id,
    name: `Campaign ${id}`,
    status_key: 1,
    review: 'pending',
    moderation_start_at: started,
    ...patch,
  })
  const row: QueuedSubmission = {
    campaign_id: id,
    campaign_name: campaign.name ?? '',
    space_id: campaign.space_id,
    space_name: 'Nile Ads',
    currency: 'USD',
    submission: 1,
    moderation_start_at: started,
    due_at: reviewDueAt(started),
    status_key: campaign.status_key,
    re_review: campaign.approved_version !== null,
    first_review: false,
    account_waiting: 1,
    goal: null,
    type: 'awareness',
    creatives: 1,
    holder: null,
    assignee: null,
  }
  return { campaign, row }
}

/** Guidelines of a white-label that has none of its own. */
export const NO_GUIDELINES: ReviewGuidelines = { language: 'en', reasons: [], checklist: [] }

/** Findings for a submission in which the simple checks found nothing. */
export const NO_FINDINGS: ReviewFindings = { revision: 1, total: 0, checking: false, findings: [], reasons: [] }

/** A hold that does not end during a test. */
export const holderOf = (id: string, name = id): ReviewHolder => ({ id, name, since: STARTED, until: '2026-03-02T23:00:00.000Z' })

export type Waiting = ReturnType<typeof waiting>
export const three = (): readonly Waiting[] => [waiting('one'), waiting('two'), waiting('three')]

/** Sets the clock of a test file to two hours after most submissions. It keeps running. */
export function stopTheClock() {
  beforeEach(() => {
    const toFake = ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] as const
    vi.useFakeTimers({ now: new Date('2026-03-02T11:00:00.000Z'), shouldAdvanceTime: true, toFake: [...toFake] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })
}

const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))

// In this order: the mounted screen may still call the server. Messages unmount two frames after they are dismissed, by name; a
// message of the same name in the next test would be dismissed with them.
afterEach(async () => {
  cleanup()
  drawn.dismiss()
  await frame()
  await frame()
})

/** Opens the application with these campaigns in the queue. The server accepts every decision unless a test overrides it. */
export function openApp(
  address: string,
  role: Role,
  submissions: readonly Waiting[] = [],
  arrange?: (server: FakeServer) => void,
) {
  const server = signedInServer({ role })
  server.on(moderationQueue, () => pageOf(submissions.map(({ row }) => row)))
  server.on(getCampaign, ({ params }) => {
    const found = submissions.find(({ campaign }) => campaign.id === params['id'])
    return found?.campaign ?? refusal(130, 404)
  })
  server.on(approveCampaign, () => outcome)
  server.on(rejectCampaign, () => outcome)
  server.on(holdSubmission, () => ({ holder: holderOf('ada'), position: '9' }))
  server.on(reviewGuidelines, () => NO_GUIDELINES)
  server.on(reviewFindings, () => NO_FINDINGS)
  server.on(listSecondLooks, () => pageOf([]))
  server.on(releaseSubmission, () => ({ position: '9' }))
  server.on(listModerators, () => ({
    people: [
      { id: 'ada', name: 'Ada Nile' },
      { id: 'olga', name: 'Olga' },
    ],
  }))
  arrange?.(server)
  return {
    ...renderRoute(address),
    user: userEvent.setup(),
    /** Returns the bodies sent to an endpoint. */
    sent: (endpoint: Endpoint) => server.calls(endpoint).map(({ body }) => body),
  }
}

/** Opens the queue of these campaigns, with the first one selected. */
export async function openQueue(
  submissions: readonly Waiting[],
  arrange?: (server: FakeServer) => void,
  address = '/moderation',
) {
  const app = openApp(address, 'WL_MODERATOR', submissions, arrange)
  await wholeSubmission()
  return app
}
/** Loaded together with the shortcuts of the decision. */
const wholeSubmission = () => screen.findByRole('region', { name: 'Where clicks lead' })

export const listedLinks = () => within(screen.getByRole('list', { name: 'Waiting campaigns' })).getAllByRole('link')
export const listedNames = () => listedLinks().map((link) => link.querySelector('.font-medium')?.textContent)

export async function shows(name: string) {
  await screen.findByRole('heading', { level: 2, name })
  await wholeSubmission()
}
/** Advances past the time in which an approval can be undone. */
export const later = () => vi.advanceTimersByTimeAsync(5100)
