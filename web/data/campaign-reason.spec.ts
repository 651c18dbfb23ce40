import { expect, it } from 'vitest'
import { reasonTexts, type Reason } from './campaign-reason.ts'

const reason = (key: string, remedy: string | null): Reason => ({
  key,
  status_key: 3,
  since: '2026-01-01T00:00:00.000Z',
  revision: 1,
  cause: '',
  actor: '',
  remedy,
})
const remedies = (...reasons: readonly Reason[]) => reasonTexts(reasons).map(({ text, remedy }) => [text, remedy])

it('does not say "nothing to do" beside something to do', () => {
  const waits = reason('waiting_for_ad_exchange', 'wait_for_exchange')
  expect(remedies(waits)).toEqual([['No ad exchange has approved a creative yet', 'Nothing to do until an exchange decides']])
  expect(remedies(waits, reason('creative_disapproved', 'edit_creative'))).toEqual([
    ['No ad exchange has approved a creative yet', null],
    ['An ad exchange disapproved a creative', 'Replace the creative'],
  ])
})

it('offers to send unpublished changes of a running campaign for review, not to start it', () => {
  expect(remedies(reason('running', null), reason('changes_not_published', 'publish'))).toEqual([
    ['Ads are being shown', null],
    ['You have unpublished changes', 'Publish to send them for review'],
  ])
})

it('omits reasons that this version does not know', () => {
  expect(remedies(reason('from_the_future', 'wait_for_start'))).toEqual([])
})
