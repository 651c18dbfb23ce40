import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import type { Campaign } from '#contract/campaign-body'
import { fakeUploads, fileOf } from '@/test/fake-uploads'
import { campaignWith, renderInForm } from '@/test/campaign-form'
import { toPayload } from '@/features/campaigns/form/form-mapping'
import TracksTab from './tracks-tab.tsx'

const tracks = (count: number): Campaign =>
  campaignWith({
    audio_ads: Array.from({ length: count }, (_, index) => ({
      id: `t-${index}`,
      fileId: `f-${index}`,
      name: `spot ${index}.mp3`,
      url: `/f-${index}`,
      size: 0.31,
      extension: 'mp3',
      creativeServingDecision: null,
    })),
  })
const input = () => screen.getByLabelText('Add Track', { selector: 'input' })
const choose = (file: File) => userEvent.upload(input(), file, { applyAccept: false })
const reason = () => screen.getByRole('alert').textContent

describe('tracks', () => {
  it('tracks can be played where they are uploaded, and are sent as the server returned them', async () => {
    const wire = fakeUploads()
    const { form } = renderInForm(<TracksTab />, tracks(1))
    await choose(fileOf('morning.mp3', 'audio/mpeg'))
    await wire.succeed({ file_id: 'f', file_url: '/f', name: 'morning.mp3', size: 2_097_152, duration: 20 })
    const added = within(screen.getByRole('article', { name: 'morning.mp3' }))
    expect(added.getByLabelText('Listen to morning.mp3')).toHaveAttribute('src', '/f')
    expect(added.getByText('0:20 · 2 MB')).toBeVisible()
    expect(toPayload(form().getValues(), tracks(1)).audio_ads).toMatchObject([
      { id: 't-0' },
      { fileId: 'f', name: 'morning.mp3', size: 2, extension: 'mp3' },
    ])
  })

  it('tracks are refused with the reason, before they are sent or after', async () => {
    const wire = fakeUploads()
    renderInForm(<TracksTab />, tracks(0))
    await choose(fileOf('spot.wav', 'audio/wav'))
    expect(reason()).toContain("Uh-oh! It seems like the file you uploaded isn't a valid MP3.")
    await choose(fileOf('long.mp3', 'audio/mpeg', 20_971_521))
    expect(reason()).toContain('An audio file should be up to 20 MB')
    expect(wire.sent()).toEqual([])
    await choose(fileOf('short.mp3', 'audio/mpeg'))
    await wire.refuse(2, 'Invalid argument provided', [{ path: 'file', code: 2, message: 'x', key: 'audioTooShort' }])
    expect(reason()).toContain(
      "short.mp3: Oops! Your audio is too short. Please upload an MP3 file that's at least 15 seconds long.",
    )
  })

  it('tracks chosen together are all sent, one after the other, and those that are one too many say so', async () => {
    const wire = fakeUploads()
    const { form } = renderInForm(<TracksTab />, tracks(3))
    const files = ['a', 'b', 'c'].map((name) => fileOf(`${name}.mp3`, 'audio/mpeg'))
    await userEvent.upload(input(), files, { applyAccept: false })
    expect(screen.getByRole('progressbar', { name: 'Uploading a.mp3' })).toBeVisible()
    expect(screen.getAllByText('Waiting')).toHaveLength(2)
    await wire.succeed({ file_id: 'f-a', file_url: '/f-a', name: 'a.mp3' })
    await waitFor(() => expect(wire.sent()).toHaveLength(2))
    await wire.succeed({ file_id: 'f-b', file_url: '/f-b', name: 'b.mp3' })
    await waitFor(() => expect(reason()).toBe('c.mp3: 5 of 5 tracks are there. Remove one to add another.'))
    expect(wire.sent()).toHaveLength(2)
    expect(
      form()
        .getValues('tracks.tracks')
        .map(({ name }) => name),
    ).toEqual(['spot 0.mp3', 'spot 1.mp3', 'spot 2.mp3', 'a.mp3', 'b.mp3'])
  })

  it('tracks are five at most', async () => {
    renderInForm(<TracksTab />, tracks(5))
    expect(input()).toBeDisabled()
    expect(screen.getByText('5 of 5 tracks are there. Remove one to add another.')).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Remove spot 2.mp3' }))
    expect(input()).toBeEnabled()
    expect(screen.getByRole('region', { name: 'Uploaded tracks' })).toHaveFocus()
  })
})
