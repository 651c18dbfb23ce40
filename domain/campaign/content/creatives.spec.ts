import { describe, expect, it } from 'vitest'
import { diff } from '#domain/kit/json-changes'
import { fileAddress } from './file-addresses.ts'
import { creativesOf, sameMaterial, shownChange, withFileAddresses } from './creatives.ts'
import { DEFAULT_CONTENT } from './content.ts'
import { shape, type CampaignPatch } from './shape.ts'

const EVIL = 'https://evil.example/any.mp4'
const PATCH: CampaignPatch = {
  dynamic_ad: {
    id: 'd',
    images: [{ index: 0, file_id: 'f1', url: EVIL }],
    logos: [{ index: 0, file_id: 'f2', url: 'javascript:1' }],
  },
  native_ad: {
    id: 'n',
    images: [{ width: 1200, height: 627, file_id: 'f3', url: EVIL }],
    logo: { width: 128, height: 128, file_id: 'f4', url: EVIL },
    video: { fileId: 'f5', url: EVIL },
  },
  video_ad: {
    id: 'v',
    video: { file_id: 'f6', url: EVIL },
    companion_banners: [{ width: 300, height: 250, file_id: null, url: 'http://169.254.169.254/' }],
  },
  audio_ads: [{ id: 'a', fileId: 'f7', url: EVIL }],
  visuals: { banners: [{ id: 'b', width: 300, height: 250, file_id: 'f8', url: EVIL }] },
}
const stored = shape(DEFAULT_CONTENT, PATCH, {
  mayWriteOwnerFields: false,
  countryOffset: null,
  newIds: [],
  now: '2026-06-01T00:00:00.000Z',
}).content
const saved = (patch: CampaignPatch, newIds: readonly string[]) =>
  shape(stored, patch, { mayWriteOwnerFields: false, countryOffset: null, newIds, now: '2026-06-01T00:00:00.000Z' }).content
const addresses = (value: unknown): unknown[] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([key, part]) => (key === 'url' ? [part] : addresses(part)))

describe('addresses of creatives', () => {
  // covers FP-41
  it('addresses of creatives are derived from the files on every save, whatever the client sends', () => {
    const { dynamic_ad, native_ad, video_ad, audio_ads, visuals } = stored
    const found = addresses([dynamic_ad, native_ad, video_ad, audio_ads, visuals])
    expect(new Set(found)).toEqual(new Set([null, ...[1, 2, 3, 4, 5, 6, 7, 8].map((n) => fileAddress(`f${n}`))]))
    expect(found).toHaveLength(9)
    expect(JSON.stringify(stored)).not.toContain('evil')
    expect(JSON.stringify(stored)).not.toContain('169.254')
  })

  // covers FP-41
  it('addresses of creatives are derived on reads too, for content of old events', () => {
    const old = { banners: [{ id: 'b', file_id: 'f8', url: EVIL }] }
    expect(withFileAddresses(old)).toEqual({ banners: [{ id: 'b', file_id: 'f8', url: fileAddress('f8') }] })
  })

  it('addresses of creatives are shown in recorded changes only when they are addresses of files', () => {
    const path = 'visuals.banners[b].url'
    expect(shownChange({ path, from: fileAddress('f1'), to: EVIL })).toEqual({ path, from: fileAddress('f1'), to: null })
    expect(shownChange({ path, from: null, to: EVIL })).toBeNull()
    const whole = { path: 'visuals.banners[b]', from: null, to: { id: 'b', file_id: 'f1', url: EVIL } }
    expect(shownChange(whole)?.to).toEqual({ id: 'b', file_id: 'f1', url: fileAddress('f1') })
    const link = { path: 'product_url', from: null, to: 'https://nile.example' }
    expect(shownChange(link)).toEqual(link)
  })

  it('addresses of creatives are ignored when material is compared, a changed file is not', () => {
    const [material] = creativesOf(stored)
      .filter(({ kind }) => kind === 'banner')
      .map((creative) => creative.material)
    const other = { ...(material as object), url: EVIL }
    expect(sameMaterial(material ?? null, other)).toBe(true)
    expect(sameMaterial(material ?? null, { ...other, file_id: 'f9' })).toBe(false)
  })
})

const banner = (file_id: string) => ({ width: 300, height: 250, file_id })

describe('ids of creatives', () => {
  // covers FP-7
  it('ids of creatives that a save leaves out are those of the stored creative with the same file or of the same kind, else new', () => {
    const patch: CampaignPatch = {
      dynamic_ad: { company_name: 'Nile' },
      native_ad: { headline: 'Nile' },
      video_ad: { headline: 'Nile' },
      audio_ads: [{ fileId: 'f7' }, { fileId: 'f9' }],
      visuals: { banners: [banner('f9'), banner('f8'), banner('f8')] },
    }
    const { dynamic_ad, native_ad, video_ad, audio_ads, visuals } = saved(patch, ['new 1', 'new 2', 'new 3'])
    expect([dynamic_ad?.id, native_ad?.id, video_ad?.id]).toEqual(['d', 'n', 'v'])
    expect(audio_ads.map(({ id }) => id)).toEqual(['a', 'new 1'])
    expect(visuals.banners.map(({ id }) => id)).toEqual(['new 2', 'b', 'new 3'])
  })
})

// covers FP-7
it('creatives in another order are no change', () => {
  const banners = [
    { id: 'b', ...banner('f8') },
    { id: 'c', ...banner('f9') },
  ]
  const before = saved({ visuals: { banners } }, [])
  expect(diff(before, { ...before, visuals: { banners: before.visuals.banners.toReversed() } })).toEqual([])
})
