import { QueryClient } from '@tanstack/react-query'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { fakeUploads, fileOf, filmsOf, framesAre, picturesOf } from '@/test/fake-uploads'
import { campaignWith, renderInForm } from '@/test/campaign-form'
import { toPayload } from '@/features/campaigns/form/form-mapping'
import VideoTab from './video-tab.tsx'

const campaign = campaignWith({})
const withFilm = campaignWith({
  video_ad: {
    id: 'v-1',
    creative_name: 'film',
    headline: '',
    long_headline: '',
    cta: '',
    companion_banners: [],
    creativeServingDecision: null,
    video: { file_id: 'f', name: 'film.mp4', url: '/v1/file/cache/f', size: 3_145_728, duration: 12, width: 640, height: 360 },
  },
})
const slot = (name: string) => screen.getByRole('group', { name })
const choose = (name: string, file: File) =>
  userEvent.upload(within(slot(name)).getByLabelText(`Add ${name}`), file, { applyAccept: false })
const film = fileOf('film.mp4', 'video/mp4')
const preview = () => screen.getByRole('complementary', { name: 'Preview' })

describe('the video ad', () => {
  // covers CAM-CRE-76
  it('the video ad is switched on and off', async () => {
    const { form } = renderInForm(<VideoTab />, campaign)
    for (const on of [true, false]) {
      await userEvent.click(screen.getByRole('switch', { name: 'Show these ads' }))
      expect(toPayload(form().getValues(), campaign).video_ad_enabled).toBe(on)
    }
  })

  // covers CAM-CRE-18 CONST-33
  it('the video ad is shown as it will look, while it is made', async () => {
    const wire = fakeUploads()
    renderInForm(<VideoTab />, campaign)
    for (const [label, text] of Object.entries({
      Headline: 'Sunrise',
      'Long headline': 'Over the river',
      'Call to action': 'Go',
    })) {
      await userEvent.type(screen.getByLabelText(label), text)
      expect(within(preview()).getByText(text)).toBeVisible()
    }
    picturesOf(300, 250)
    await choose('Companion banner', fileOf('side.png', 'image/png'))
    await wire.succeed({ file_url: '/side' })
    expect(within(preview()).getByRole('img', { name: 'Companion banner' })).toHaveAttribute('src', '/side')
    const shown = within(slot('Companion banner')).getByRole('img', { name: 'Companion banner' })
    expect([shown.getAttribute('width'), shown.getAttribute('height')]).toEqual(['300', '250'])
  })

  it('takes a film, with what is known of it', async () => {
    const wire = fakeUploads()
    filmsOf(640, 360)
    const { form } = renderInForm(<VideoTab />, campaign)
    await choose('Video', film)
    await wire.succeed({
      file_id: 'f',
      file_url: '/f',
      name: 'film.mp4',
      size: 3_145_728,
      duration: 12.2,
      width: 640,
      height: 360,
    })
    expect(within(slot('Video')).getByText('0:12 · 3 MB · 640x360 · 2.06 Mbit/s')).toBeVisible()
    expect(within(slot('Video')).getByText('video uploaded successfully')).toBeVisible()
    const { video_ad } = toPayload(form().getValues(), campaign)
    expect(video_ad?.video).toMatchObject({ file_id: 'f', name: 'film.mp4', duration: 12.2, width: 640, height: 360 })
  })

  it('shows the frame rate of a stored film, a frame of it, and that not everyone plays AV1', async () => {
    vi.stubGlobal(
      'fetch',
      async () => new Response(null, { headers: { 'X-File-Frame-Rate': '29.97', 'X-File-Warnings': 'av1' } }),
    )
    framesAre('data:image/jpeg;base64,AA==')
    renderInForm(<VideoTab />, withFilm, false, { client: new QueryClient() })
    expect(await within(slot('Video')).findByText('0:12 · 3 MB · 640x360 · 29.97 fps · 2.1 Mbit/s')).toBeVisible()
    expect(within(slot('Video')).getByText(/Not every browser and exchange plays AV1/)).toBeVisible()
    const film = within(slot('Video')).getByLabelText('Video')
    await waitFor(() => expect(film).toHaveAttribute('poster', 'data:image/jpeg;base64,AA=='))
  })

  it('refuses what cannot be used, with the reason', async () => {
    const wire = fakeUploads()
    filmsOf(1280, 720)
    picturesOf(300, 250)
    renderInForm(<VideoTab />, campaign)
    const refused = [
      ['Video', film, 'Invalid dimensions. Please upload a 480x360, 640x360 or 1920x800 video.'],
      ['Video', fileOf('long.mp4', 'video/mp4', 10_485_761), 'video should be up to 10 MB'],
      ['Video', fileOf('film.avi', 'video/x-msvideo'), 'The file is not a valid MP4 or WebM video'],
      ['Companion banner', fileOf('side.png', 'image/png', 153_601), 'A companion banner has at most 150k'],
      ['Companion banner', fileOf('side.gif', 'image/gif'), 'A companion banner is JPG or PNG'],
    ] as const
    for (const [name, file, reason] of refused) {
      await choose(name, file)
      expect(within(slot(name)).getByRole('alert')).toHaveTextContent(reason)
    }
    expect(wire.sent()).toEqual([])
  })
})
