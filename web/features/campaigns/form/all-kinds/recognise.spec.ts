import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BANNER_SIZES } from '#domain/campaign/content/options'
import { fileOf } from '@/test/fake-uploads'
import { recognise } from './recognise.ts'

const measured = (size: { width: number; height: number } | null) => ({
  image: () => Promise.resolve(size),
  video: () => Promise.resolve(size),
})
const picture = (width: number, height: number, bytes = 10) =>
  recognise(fileOf('one.png', 'image/png', bytes), false, measured({ width, height }))

describe('recognising a dropped file', () => {
  it.each([
    [1200, 627, ['responsiveImage', 'nativeLandscape']],
    [600, 600, ['nativeSquare', 'responsiveLogo', 'banner']],
    [128, 128, ['nativeLogo', 'responsiveLogo']],
    [300, 250, ['banner', 'companion']],
    [728, 90, ['banner']],
    [1456, 180, ['banner']],
  ])('finds the places of a picture of %ix%i', async (width, height, places) => {
    expect((await picture(width, height)).fits).toEqual(places)
  })

  it('makes every banner size a banner, and tells the size that a larger picture becomes', async () => {
    for (const { width, height } of BANNER_SIZES) expect((await picture(width, height)).fits[0]).toBe('banner')
    expect((await picture(1456, 180)).banner).toMatchObject({ width: 728, height: 90 })
  })

  it('gives either places or a reason, for every size, weight and type', async () => {
    const type = fc.constantFrom('image/png', 'image/gif', 'image/svg+xml', 'video/mp4', 'audio/mpeg', 'text/plain', '')
    await fc.assert(
      fc.asyncProperty(
        fc.nat(2500),
        fc.nat(2500),
        fc.nat(25_000_000),
        type,
        fc.boolean(),
        async (width, height, bytes, kind, audio) => {
          const { fits, reason } = await recognise(fileOf('one', kind, bytes), audio, measured({ width, height }))
          expect(fits.length > 0).toBe(reason === null)
          expect(fits.every((place) => (place === 'track') === audio)).toBe(true)
        },
      ),
    )
  })

  it('says why a file fits no place', async () => {
    const reasonOf = async (name: string, type: string, audio = false, size = { width: 500, height: 333 }, bytes = 10) =>
      (await recognise(fileOf(name, type, bytes), audio, measured(size))).reason
    expect(await reasonOf('one.png', 'image/png')).toBe('creatives:sort.noSize?width=500&height=333')
    expect(await reasonOf('photo.png', 'image/png', false, { width: 4000, height: 3000 }, 3_000_000)).toBe(
      'creatives:sort.noSize?width=4000&height=3000',
    )
    expect(await reasonOf('big.png', 'image/png', false, { width: 1200, height: 627 }, 500_000)).toBe('faults:imageBytes')
    expect(await reasonOf('film.mp4', 'video/mp4')).toBe('faults:videoSize')
    expect(await reasonOf('notes.txt', 'text/plain')).toBe('creatives:sort.unknownType')
    expect(await reasonOf('spot.mp3', 'audio/mpeg')).toBe('creatives:sort.noTracks')
    expect(await reasonOf('one.png', 'image/png', true)).toBe('creatives:sort.onlyTracks')
    expect(await reasonOf('page.zip', 'application/zip')).toBe('creatives:sort.htmlSize')
  })

  it('takes the size of an HTML banner from its name', async () => {
    const { fits, banner } = await recognise(fileOf('sale_300x600_v2.zip', 'application/zip'), false, measured(null))
    expect([fits, banner]).toEqual([['banner'], { width: 300, height: 600 }])
  })
})
