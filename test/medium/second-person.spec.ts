import type { WhiteLabels } from '#commands/white-label/white-labels'
import { expect, it, onTestFinished } from 'vitest'
import { createSecondPerson } from '#platform/approvals/second-person'
import { createKysely } from '#platform/database/pool'
import { createTestDatabase } from '../support/database.ts'

const AT_ONCE = 6
const LIMIT = 60
const AMOUNT = 25

/** White-labels whose settings are answered when all calls have asked: then every call is inside its transaction. */
function answeredTogether(): WhiteLabels {
  let asked = 0
  let open = () => {}
  const all = new Promise<void>((resolve) => (open = resolve))
  const part: Pick<WhiteLabels, 'settingsOf' | 'brandOf'> = {
    async settingsOf() {
      if (++asked === AT_ONCE) open()
      await all
      return { payment_approval_limit: LIMIT } as Awaited<ReturnType<WhiteLabels['settingsOf']>>
    },
    brandOf: () => ({ zone: 'UTC' }) as unknown as ReturnType<WhiteLabels['brandOf']>,
  }
  return part as WhiteLabels
}

// covers FP-63
it('no two concurrent calls of one user pass the limit of the day together', async () => {
  const database = await createTestDatabase()
  onTestFinished(() => database.drop())
  const secondPerson = createSecondPerson({
    db: createKysely(database.pool),
    derivedId: (...parts) => parts.join(' '),
    now: () => '2026-03-01T12:00:00.000Z',
    whiteLabels: answeredTogether(),
  })
  const counted = await Promise.all(
    Array.from({ length: AT_ONCE }, (_, n) =>
      secondPerson.count({ id: `m-${n}`, whitelabelId: 'dsp', spaceId: `s-${n}`, userId: 'u', kind: 'credit', amount: AMOUNT }),
    ),
  )
  expect(counted.filter(({ alone }) => alone)).toHaveLength(Math.floor(LIMIT / AMOUNT))
})
