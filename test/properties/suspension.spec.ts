import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decide } from '#domain/campaign/campaign'
import type { CampaignCommand, CommandFacts } from '#domain/campaign/commands'
import { play } from '#domain/campaign/status/time-and-money'
import { initial as initialState, type CampaignState } from '#domain/campaign/state'
import { reasonsOf, served, statusOf } from '#domain/campaign/status/status'
import { runs } from '../support/properties.ts'
import { create, factsOf, serving } from '../support/campaign-life.ts'

const START = Date.parse('2026-06-01T00:00:00.000Z')
const CONTENT = {
  name: 'A campaign',
  url: 1,
  banners: { '1': 1 },
  native: 0,
  nativeOn: false,
  budget: 50_000_000,
  type: 2 as const,
  start: null,
  end: null,
  exchanges: [],
}

/** A campaign lives twice: in an account that is suspended now and then, and in one that never is. */

type Step = {
  readonly suspended: boolean
  readonly available: number
  readonly command: 'run' | 'pause' | 'archive' | 'exchange' | 'funding' | 'spend'
}
const step: fc.Arbitrary<Step> = fc.record({
  suspended: fc.boolean(),
  available: fc.constantFrom(1e12, 1e12, 1e12, 0),
  command: fc.constantFrom('run', 'pause', 'archive', 'exchange', 'funding', 'spend'),
})

const commandOf = (step: Step, state: CampaignState): CampaignCommand => {
  switch (step.command) {
    case 'run':
      return { type: 'RunCampaign' }
    case 'pause':
      return { type: 'PauseCampaign' }
    case 'archive':
      return { type: 'ToggleArchive' }
    case 'exchange':
      return {
        type: 'DecideExchange',
        verdicts: served(state).map(({ id }) => ({
          exchange: 'google',
          creativeId: id,
          contentVersion: null,
          decision: serving('approved'),
        })),
      }
    case 'funding':
      return { type: 'KeepFunding' }
    case 'spend':
      return { type: 'KeepSpend' }
  }
}

const KEEP: CampaignCommand = { type: 'KeepFunding' }
/** Without money or while suspended: 44 for a campaign that has run, 45 for one that has not. */
const stopped = (ran: boolean) => (ran ? 44 : 45)

describe('campaigns of a suspended account', () => {
  it('campaigns of a suspended account serve nothing while it is suspended, and go on afterwards as if it had never been', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30, size: 'max' }), (steps) => {
        let now = START
        const facts = (available: number, suspended: boolean): CommandFacts => ({
          ...factsOf({ now, available, spentToday: 0, spentTotal: 0 }),
          suspended,
        })
        const take = (state: CampaignState, command: CampaignCommand, known: CommandFacts): CampaignState | null => {
          const decision = decide(command, state, known)
          return decision.kind === 'rejected' ? null : play(state, decision.events, known)
        }
        const must = (state: CampaignState, command: CampaignCommand, known: CommandFacts) => take(state, command, known) ?? state
        const approve = (state: CampaignState): CampaignCommand => ({
          type: 'ApproveCampaign',
          moderationStartAt: state.moderation_start_at,
          categoryKeys: null,
          exchangeId: null,
          ownWork: false,
        })
        const born = must(initialState, create(CONTENT, true), facts(1e12, false))
        const approved = must(born, approve(born), facts(1e12, false))
        expect(approved.approved).not.toBeNull()

        let suspendedOne = approved
        let twin = approved
        let available = 1e12
        // A suspension delays the first launch, so each has its own.
        let ran = false
        for (const one of steps) {
          now += 1000
          ;({ available } = one)
          const a = take(suspendedOne, commandOf(one, suspendedOne), facts(available, one.suspended))
          const b = take(twin, commandOf(one, twin), facts(available, false))
          // A command that only one of them accepts is a refusal by its status; then neither takes it.
          if (a !== null && b !== null) [suspendedOne, twin] = [a, b]
          ran ||= statusOf(suspendedOne) === 3
          const kept = must(suspendedOne, KEEP, facts(available, one.suspended))
          if (one.suspended) {
            expect([3, 31]).not.toContain(statusOf(kept))
            if (statusOf(kept) === 44 || statusOf(kept) === 45)
              expect([reasonsOf(kept)[0]?.key, statusOf(kept)]).toEqual(['account_suspended', stopped(ran)])
          } else expect(reasonsOf(kept).map(({ key }) => key)).not.toContain('account_suspended')
          suspendedOne = kept
          ran ||= statusOf(kept) === 3
          twin = must(twin, KEEP, facts(available, false))
        }
        now += 1000
        const restored = must(suspendedOne, KEEP, facts(available, false))
        const wanted = statusOf(must(twin, KEEP, facts(available, false)))
        expect(statusOf(restored)).toBe(wanted === 44 || wanted === 45 ? stopped(ran) : wanted)
        expect(restored.intent).toBe(twin.intent)
      }),
      { numRuns: runs(400) },
    )
  })
})
