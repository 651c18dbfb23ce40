import { render } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { en } from '@/i18n/en'
import { ru } from '@/i18n/ru'
import { ServingDecision, type Decision } from './serving-decision.tsx'

type Status = NonNullable<Decision>['dealsPolicyCompliance']['status']
const part = (status: Status, topics: readonly string[] = []) => ({
  status,
  topics: topics.map((policyTopic) => ({ policyTopic })),
})
const textOf = (decision: Decision) => render(<ServingDecision decision={decision} />).container.textContent

describe('decisions of exchanges about a creative', () => {
  // covers CAM-APR-03
  it('names the policy topics of a disapproval, each once, separated by commas', () => {
    const decision = {
      dealsPolicyCompliance: part('disapproved', ['Gambling', 'Alcohol']),
      networkPolicyCompliance: part('approved'),
      platformPolicyCompliance: part('disapproved', ['Alcohol', 'Weapons']),
    }
    expect(textOf(decision)).toBe('Disapproved: Gambling, Alcohol, Weapons')
  })

  it('a disapproval without topics is shown too', () => {
    const parts = { dealsPolicyCompliance: part('disapproved'), networkPolicyCompliance: part('pending') }
    expect(textOf({ ...parts, platformPolicyCompliance: part('approved') })).toBe('Disapproved')
  })

  // covers CAM-APR-05
  it('says that a pending one is pending', () => {
    const parts = { dealsPolicyCompliance: part('approved'), networkPolicyCompliance: part('pending') }
    expect(textOf({ ...parts, platformPolicyCompliance: part('approved') })).toBe('The creative is pending review')
  })

  // covers CAM-APR-06
  it.each([null, undefined])('decisions of exchanges show nothing while there is none: %s', (decision) => {
    expect(textOf(decision)).toBe('')
  })

  // covers CAM-ERR-28 CAM-ERR-29
  it.each([en, ru])(
    'decisions of exchanges have their messages in both languages, with room for the topics',
    ({ creatives: { decision } }) => {
      expect(decision.errMessage).toContain('{{topics}}')
      expect(decision.pendMessage).not.toBe('')
    },
  )
})
