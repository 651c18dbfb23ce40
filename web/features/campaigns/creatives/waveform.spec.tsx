import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { TrackPlayer } from './track-player.tsx'
import { BARS, MOST_BYTES, MOST_SECONDS, peaksOf } from './waveform-peaks.ts'

describe('the peaks of a sound', () => {
  it('the peaks of a sound are between 0 and 1, as many as asked for, and reach 1 unless all is silent', () => {
    const samples = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { maxLength: 500 })
    fc.assert(
      fc.property(samples, fc.integer({ min: 1, max: 200 }), (sound, count) => {
        const peaks = peaksOf(sound, count)
        expect(peaks).toHaveLength(count)
        expect(peaks.every((peak) => peak >= 0 && peak <= 1)).toBe(true)
        if (sound.some((sample) => Math.abs(sample) > 0)) expect(Math.max(...peaks)).toBe(1)
      }),
    )
  })

  it('the peaks of a sound are where the sound is loud', () => {
    expect(peaksOf([0, 0, 0.25, 0, 0, -0.5], 3)).toEqual([0, 0.5, 1])
  })
})

/** A browser that decodes every sound to `seconds` of the same loudness, or refuses. */
function decodes(seconds: number | null, bytes = 10) {
  const loaded = vi.fn(async () => new Response('x'.repeat(10), { headers: { 'Content-Length': String(bytes) } }))
  vi.stubGlobal('fetch', loaded)
  vi.stubGlobal('OfflineAudioContext', function context() {
    return {
      decodeAudioData: async () => {
        if (seconds === null) throw new Error('unknown format')
        return { duration: seconds, getChannelData: () => Float32Array.from({ length: 240 }, () => 0.5) }
      },
    }
  })
  onTestFinished(() => void vi.unstubAllGlobals())
  return loaded
}
function show(size = 1) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  render(
    <QueryClientProvider client={client}>
      <TrackPlayer name="spot.mp3" url="/v1/file/cache/f-1" size={size} seconds={20} decision={null} />
    </QueryClientProvider>,
  )
}
const ask = () => userEvent.click(screen.getByRole('button', { name: 'Waveform of spot.mp3' }))
const player = () => screen.getByLabelText<HTMLAudioElement>('Listen to spot.mp3')

describe('the waveform of a track', () => {
  it('the waveform of a track is loaded on request, and its position is moved by keys', async () => {
    const loaded = decodes(20)
    show()
    expect(loaded).not.toHaveBeenCalled()
    await ask()
    const slider = await screen.findByRole('slider', { name: 'Position in spot.mp3' })
    expect(slider).toHaveAttribute('aria-valuetext', '0:00 of 0:20')
    // The browser moves the position by the arrow keys: a native slider.
    expect(slider).toHaveAttribute('type', 'range')
    fireEvent.change(slider, { target: { value: '7.5' } })
    expect(player().currentTime).toBe(7.5)
    expect(slider).toHaveAttribute('aria-valuetext', '0:08 of 0:20')
    expect(document.querySelectorAll('svg rect')).toHaveLength(BARS)
    expect(document.querySelectorAll('svg rect.fill-primary-ink')).toHaveLength(45)
  })

  it('follows the player, and is loaded when it plays', async () => {
    const loaded = decodes(20)
    show()
    fireEvent.play(player())
    const slider = await screen.findByRole('slider')
    player().currentTime = 12
    fireEvent.timeUpdate(player())
    expect(slider).toHaveValue('12')
    expect(loaded).toHaveBeenCalledOnce()
  })

  it.each([
    ['cannot be decoded', null, 10],
    ['is longer than the bound', MOST_SECONDS + 1, 10],
    ['is larger than the bound', 20, MOST_BYTES + 1],
  ])('the waveform of a sound that %s leaves the plain player, and says so', async (_, seconds, bytes) => {
    decodes(seconds, bytes)
    show()
    await ask()
    expect(await screen.findByText('The waveform cannot be shown.')).toBeVisible()
    expect(screen.queryByRole('slider')).toBeNull()
    expect(player()).toBeInTheDocument()
  })

  it('the waveform of a track is not offered for a file beyond the bound', () => {
    decodes(20)
    show(21)
    expect(screen.queryByRole('button', { name: 'Waveform of spot.mp3' })).toBeNull()
    expect(player()).toBeInTheDocument()
  })
})
