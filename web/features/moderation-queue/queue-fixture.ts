import { screen, within } from '@testing-library/react'
import { afterEach, beforeEach, vi } from 'vitest'
import type { Campaign } from '../../../api/contract/campaign-body.ts'
import type { QueuedSubmission } from '../../../api/contract/moderation.ts'
import { reviewDueAt } from '../../../domain/campaign/review-time.ts'
import { openApp, pageOf, type Answers } from '../../test/app.tsx'
import { campaignWith } from '../campaigns/form/form-fixture.tsx'

export const APPROVE = '/v1/whitelabel/admin/campaign/approve'
export const REJECT = '/v1/whitelabel/admin/campaign/reject'
/** A Monday. */
export const STARTED = '2026-03-02T09:00:00.000Z'
export const outcome = { id: 'one', status_key: 3, status_reasons: [], revision: 4, position: '9' }

/** For tests: a campaign that waits since `started`, and its row in the queue. */
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
  }
  return { campaign, row }
}

export type Waiting = ReturnType<typeof waiting>
export const three = (): readonly Waiting[] => [waiting('one'), waiting('two'), waiting('three')]

/** The clock of the tests of a file: two hours after most submissions, and it goes on. */
export function stopTheClock() {
  beforeEach(() => {
    const toFake = ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] as const
    vi.useFakeTimers({ now: new Date('2026-03-02T11:00:00.000Z'), shouldAdvanceTime: true, toFake: [...toFake] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })
}

/** The queue of these, with the first one looked at. */
export async function openQueue(submissions: readonly Waiting[], answers: Answers = {}, path = '/moderation') {
  const app = openApp(path, 'WL_MODERATOR', {
    'POST /v1/whitelabel/admin/moderation/queue': () => pageOf(submissions.map(({ row }) => row)),
    ...Object.fromEntries(submissions.map(({ campaign }) => [`GET /v1/campaign/${campaign.id}`, () => campaign])),
    [`POST ${APPROVE}`]: () => outcome,
    [`POST ${REJECT}`]: () => outcome,
    ...answers,
  })
  await wholeSubmission()
  return app
}
/** The keys of the decision come with it. */
const wholeSubmission = () => screen.findByRole('region', { name: 'Where clicks lead' })

export const listedLinks = () => within(screen.getByRole('list', { name: 'Waiting campaigns' })).getAllByRole('link')
export const listedNames = () => listedLinks().map((link) => link.querySelector('.font-medium')?.textContent)

export async function shows(name: string) {
  await screen.findByRole('heading', { level: 2, name })
  await wholeSubmission()
}
/** Past the time in which an approval can be taken back. */
export const later = () => vi.advanceTimersByTimeAsync(5100)
