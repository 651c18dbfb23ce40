import { changeLanguage, exists } from 'i18next'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FeedEntry } from '#contract/audit-feed'
import { EVENT_KINDS } from '#domain/audit/event-kinds'
import { EVERY_EVENT } from '#domain/every-event'
import { chooseLanguage } from '@/i18n/setup'
import { NAMES } from '@/test/log-fixture'
import { changeLine, entryChanges, eventName, kindName } from './entry-texts.ts'
import '@/i18n/texts/accounts'
import '@/i18n/texts/audit'
import '@/i18n/texts/form'
import '@/i18n/texts/log'
import '@/i18n/texts/owner'

const TYPES = Object.keys(EVERY_EVENT)
const entry = (kind: FeedEntry['kind'], changes: FeedEntry['changes']): FeedEntry => ({
  position: '7',
  at: '2026-11-03T14:05:00.000Z',
  kind,
  subject_id: 'subject',
  subject_name: 'Nile',
  space_id: 'space',
  space_name: 'Nile Travel',
  whitelabel_id: 'dsp',
  version: 2,
  revision: 2,
  type: 'CampaignUpdated',
  actor_id: 'ada',
  author: 'Ada Hassan',
  role: 'USER_OWNER',
  on_behalf_of: null,
  source: 'ui',
  changes,
  hash: '00',
})
const lines = (one: FeedEntry) => entryChanges(one, NAMES).map((change) => `${change.label}: ${changeLine(change, 'empty')}`)

describe.each(['en', 'ru'] as const)('texts of entries in %s', (language) => {
  beforeAll(() => chooseLanguage(language))
  afterAll(async () => {
    await chooseLanguage('en')
    localStorage.removeItem('DSP_LANGUAGE')
    await changeLanguage('en')
  })

  it.each(TYPES)('the event %s has a text', (type) => {
    expect(eventName(type)).not.toBe(type)
  })

  it.each(EVENT_KINDS)('the kind %s has a name', (kind) => {
    expect(exists(`audit:kind.${kind}`)).toBe(true)
    expect(kindName(kind)).not.toBe('')
  })
})

describe('a change', () => {
  it('a change of a campaign has the words of the change log, and amounts in the currency instead of millionths', () => {
    expect(lines(entry('campaign', [{ path: 'budget', from: 20_000_000, to: 30_500_000 }]))).toEqual(['Budget: $20.00 → $30.50'])
  })

  it('a change of an account says from what to what', () => {
    const changes = [{ path: 'credit_limit', from: 100_000_000, to: 250_000_000 }]
    expect(lines(entry('account', changes))).toEqual(['Credit limit: 100.00 → 250.00'])
  })

  it('a change that is the data of an event has no state before it', () => {
    const changes = [
      { path: 'space_id', from: null, to: 'space' },
      { path: 'amount', from: null, to: 5_000_000 },
      { path: 'reason', from: null, to: 'By bank transfer' },
    ]
    expect(lines(entry('account', changes))).toEqual(['Amount: 5.00', 'Reason: By bank transfer'])
  })

  it('a change of a field that this version does not know is shown by its path', () => {
    expect(lines(entry('invoice', [{ path: 'brand_new', from: null, to: 'x' }]))).toEqual(['brand_new: x'])
  })
})
