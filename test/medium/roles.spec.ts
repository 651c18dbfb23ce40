import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startProduct, type Product } from '#api/compose'
import { readConfig } from '#api/config'
import { createTestDatabase } from '../support/database.ts'
import { eventually, publishable, signIn } from '../support/product.ts'

// covers FP-18
it('two api processes, a projector and the policies together behave like one process', async () => {
  const database = await createTestDatabase()
  const dataDir = await mkdtemp(join(tmpdir(), 'placard-roles-'))
  const products: Product[] = []
  const start = async (role: string, over: Record<string, string> = {}) => {
    const env = {
      DATABASE_URL: database.url,
      PLACARD_DATA_DIR: dataDir,
      PLACARD_ROLE: role,
      PORT: '0',
      LOG_LEVEL: 'error',
      PLACARD_UNSAFE_DATABASE: 'on',
    }
    const product = await startProduct(readConfig({ ...env, ...over }))
    products.push(product)
    return product
  }
  try {
    await start('projector', { PLACARD_DEMO: 'on' })
    await start('policies', { PLACARD_EXCHANGE_REVIEW: 'instant' })
    const one = (await start('api', { PLACARD_DEMO: 'on' })).address ?? ''
    const other = (await start('api', { PLACARD_DEMO: 'on' })).address ?? ''
    const ada = await signIn(one, 'ada@nile.example')
    const moderator = await signIn(other, 'moderator@dsp.example')
    const { data } = await ada.call('POST', '/v1/campaign/saveAndPublish', await publishable(one, ada))
    const approved = await moderator.call('POST', '/v1/whitelabel/admin/campaign/approve', {
      campaign_id: data.id,
      moderation_start_at: data.moderation_start_at,
    })
    expect(approved.data.status_key).toBe(6)
    // A read with the position includes the write, although another process wrote it and a third one projects it.
    const seen = await ada.call('GET', `/v1/campaign/${data.id}`, undefined, { 'x-position': approved.data.position })
    expect(seen.data.revision).toBeGreaterThanOrEqual(approved.data.revision)
    const running = await eventually(
      () => ada.call('GET', `/v1/campaign/${data.id}`),
      (answer) => answer.data.status_key === 3,
    )
    expect(running.data.status_key).toBe(3)
  } finally {
    for (const product of products.reverse()) await product.stop()
    await database.drop()
    await rm(dataDir, { recursive: true, force: true })
  }
})
