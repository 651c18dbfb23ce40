import { hash } from '@node-rs/argon2'
import { systemContext } from '#domain/kit/event-metadata'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAccountCommands } from '#commands/account/account-commands'
import { createHandler } from '#commands/handle'
import { createRegistrationCommands } from '#commands/registration/registration-commands'
import { idsOf } from '#commands/registration/registrations'
import { createRegistrationStore } from '#platform/registration/registration-store'
import { createPostgresEventStore } from '#eventstore/postgres/postgres-event-store'
import { createKysely } from '#platform/database/pool'
import { derivedId, newId } from '#platform/ids'
import { mailTo, outboxOf, recipientOf } from '../support/mails.ts'
import { eventually, PASSWORD, startTestProduct, type TestProduct } from '../support/product.ts'

const FORM = {
  email: '',
  first_name: 'Nadia',
  last_name: 'Osei',
  phone: '+2348012345678',
  country: 'NG',
  company_name: 'Delta Foods',
  currency: 'USD',
  agree_with_tos: true,
  language_key: 1,
}

describe('a registration whose process ended half way', () => {
  let product: TestProduct
  let registrations: ReturnType<typeof createRegistrationCommands>
  let accounts: ReturnType<typeof createAccountCommands>
  let close: () => Promise<void>
  beforeAll(async () => {
    product = await startTestProduct()
    const { pool, url } = product.database
    const store = createPostgresEventStore({ pool, url })
    const eventId = (commandId: string, n: number) => derivedId('event', commandId, String(n))
    const handle = createHandler({ store, now: () => new Date().toISOString(), eventId })
    registrations = createRegistrationCommands(handle)
    accounts = createAccountCommands(handle)
    close = () => store.close()
  })
  afterAll(async () => {
    await close()
    await product.stop()
  })

  const requests = () => createRegistrationStore(createKysely(product.database.pool))
  const statusOf = async (id: string): Promise<number | undefined> =>
    (await product.database.pool.query('select status_key from identity.people where id = $1', [id])).rows[0]?.status_key
  const typesOf = async (stream: string): Promise<readonly string[]> =>
    (await product.database.pool.query('select type from es.events where stream_id = $1 order by version', [stream])).rows.map(
      ({ type }) => type,
    )

  /** A person with a submitted registration, as the sign-up leaves it. */
  async function submitted(email: string): Promise<{ readonly personId: string; readonly spaceId: string }> {
    const ids = idsOf(derivedId, newId())
    await requests().addRegistrant(ids, 'dsp', { ...FORM, email })
    const submission = { whitelabel_id: 'dsp', space_id: ids.spaceId, country: 'NG', currency: 'USD', by: 'registrant' } as const
    await registrations.execute(ids.personId, systemContext('registration', newId()), { type: 'Submit', submission })
    return ids
  }

  it('a registration whose process ended half way after the approval was recorded is brought to its account and its mail', async () => {
    const { personId, spaceId } = await submitted('approved@crash.example')
    await registrations.execute(personId, systemContext('registration', newId()), {
      type: 'Approve',
      personId,
      actor: 'moderator',
    })
    await mailTo(product.dataDir, 'approved@crash.example')
    expect(await statusOf(personId)).toBe(2)
    expect(await typesOf(`account-${spaceId}`)).toEqual(['AccountOpened'])
  })

  it('a registration whose process ended half way after the account was opened gets one account and one mail', async () => {
    const { personId, spaceId } = await submitted('opened@crash.example')
    const open = {
      type: 'OpenAccount',
      spaceId,
      whitelabelId: 'dsp',
      name: 'Delta Foods',
      currency: 'USD',
      house: false,
    } as const
    await accounts.execute(spaceId, systemContext('registration', derivedId('registered account', spaceId)), open)
    await registrations.execute(personId, systemContext('registration', newId()), {
      type: 'Approve',
      personId,
      actor: 'moderator',
    })
    await mailTo(product.dataDir, 'opened@crash.example')
    await new Promise((resolve) => setTimeout(resolve, 1000))
    expect((await outboxOf(product.dataDir)).filter((mail) => recipientOf(mail) === 'opened@crash.example')).toHaveLength(1)
    expect(await typesOf(`account-${spaceId}`)).toEqual(['AccountOpened'])
  })

  it('a registration whose process ended half way after the rejection was recorded is marked so, and its mail is sent', async () => {
    const { personId } = await submitted('rejected@crash.example')
    await registrations.execute(personId, systemContext('registration', newId()), {
      type: 'Reject',
      personId,
      actor: 'moderator',
      comment: null,
    })
    await mailTo(product.dataDir, 'rejected@crash.example')
    expect(await statusOf(personId)).toBe(3)
  })

  it('a registration whose process ended half way after the password was stored is recorded as completed', async () => {
    const { personId } = await submitted('completed@crash.example')
    await registrations.execute(personId, systemContext('registration', newId()), {
      type: 'Approve',
      personId,
      actor: 'moderator',
    })
    await mailTo(product.dataDir, 'completed@crash.example')
    await product.database.pool.query(`update identity.people set status_key = 5, password_hash = 'x' where id = $1`, [personId])
    await eventually(
      () => typesOf(`registration-${personId}`),
      (types) => types.at(-1) === 'RegistrationCompleted',
    )
  })

  it('a registration whose process ended half way after a request was stored is carried out once, by however many processes', async () => {
    const id = newId()
    const request = {
      id,
      whitelabel_id: 'dsp',
      context: systemContext('registration', id),
      form: { ...FORM, email: 'stored@crash.example' },
    }
    await requests().storeRequest({ ...request, person_id: null })
    await requests().storeRequest({ ...request, person_id: null })
    const { personId } = idsOf(derivedId, id)
    await eventually(
      () => typesOf(`registration-${personId}`),
      (types) => types.length === 1,
    )
    await eventually(
      async () => (await product.database.pool.query('select 1 from app.registration_requests')).rows.length,
      (n) => n === 0,
    )
    // The same request again, as after a crash before its removal.
    await requests().storeRequest({ ...request, person_id: null })
    await eventually(
      async () => (await product.database.pool.query('select 1 from app.registration_requests')).rows.length,
      (n) => n === 0,
    )
    expect(await typesOf(`registration-${personId}`)).toEqual(['RegistrationSubmitted'])
    expect(await outboxOf(product.dataDir)).not.toContainEqual(
      expect.objectContaining({ subject: expect.stringContaining('already') }),
    )
  })

  it('a registration that was added by staff keeps its notes', async () => {
    const id = newId()
    const form = { ...FORM, email: 'added@crash.example', settings: { account_type: 'agency' as const, niche: 'food' } }
    const ids = idsOf(derivedId, id)
    await requests().addRegistrant(ids, 'dsp', form)
    await requests().storeRequest({
      id,
      whitelabel_id: 'dsp',
      person_id: ids.personId,
      context: systemContext('registration', id),
      form,
    })
    await mailTo(product.dataDir, 'added@crash.example')
    await eventually(
      () => typesOf(`account-${ids.spaceId}`),
      (types) => types.join() === 'AccountOpened,AccountSettingsChanged',
    )
  })
})

describe('the answers to strangers', () => {
  /** `TIMING_TRIES=1000` measures on a quiet machine, and prints the medians. */
  const TRIES = Number(process.env['TIMING_TRIES'] ?? 60)
  const SIGN_IN = '/v1/oauth/token'
  const median = (times: readonly number[]): number => [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0

  it('the answers to strangers take the same time for known and unknown addresses', async () => {
    const product = await startTestProduct()
    try {
      // Test products have quick hashes; that of an unknown person is a real one.
      const real = await hash(PASSWORD, { memoryCost: 19_456, timeCost: 2, parallelism: 1 })
      await product.database.pool.query('update identity.people set password_hash = $1 where demo', [real])
      const times: Record<string, number[]> = {}
      const time = async (kind: string, path: string, body: string, type: string) => {
        // The limits per network are the same for both kinds; they would end the measurement.
        await product.database.pool.query('delete from app.reservations')
        const start = performance.now()
        const answer = await fetch(product.base + path, { method: 'POST', headers: { 'content-type': type }, body })
        ;(times[kind] ??= []).push(performance.now() - start)
        expect(answer.status).toBe(path === SIGN_IN ? 401 : 200)
      }
      for (let i = 0; i < TRIES; i++) {
        const [known, unknown] = ['ada@nile.example', `nobody${i}@nile.example`]
        for (const [kind, address] of [
          ['known', known],
          ['unknown', unknown],
        ] as const) {
          await time(`reset ${kind}`, '/v1/user/reset-password/init', address, 'text/plain')
          const form = JSON.stringify({ ...FORM, email: address, language_key: 1 })
          await time(`registration ${kind}`, '/v1/registration', form, 'application/json')
          const wrong = new URLSearchParams({ username: address, password: 'wrong' }).toString()
          await time(`sign-in ${kind}`, SIGN_IN, wrong, 'application/x-www-form-urlencoded')
        }
      }
      for (const call of ['reset', 'registration', 'sign-in']) {
        const [known, unknown] = [median(times[`${call} known`] ?? []), median(times[`${call} unknown`] ?? [])]
        if (TRIES >= 1000) console.log(`${call}: known ${known.toFixed(2)} ms, unknown ${unknown.toFixed(2)} ms`)
        // Wide, because the machine is shared; a password check would be beyond it.
        expect(Math.abs(known - unknown), call).toBeLessThan(Math.max(5, 0.3 * unknown))
      }
    } finally {
      await product.stop()
    }
  }, 300_000)
})
