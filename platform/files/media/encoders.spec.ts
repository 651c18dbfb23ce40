import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { inspectMp3 } from './audio.ts'
import { images } from './images.ts'
import { createVideoInspector } from './video.ts'

/** Files by real encoders, where they are installed. What they write is imitated by the other specs of this folder. */
const HAS_FFMPEG = spawnSync('ffmpeg', ['-version']).error === undefined
const HAS_LAME = HAS_FFMPEG && spawnSync('lame', ['--version']).error === undefined

const folder = mkdtempSync(join(tmpdir(), 'placard-encoders-'))
const inspector = createVideoInspector()
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await inspector.close()
})

function ffmpeg(args: string, name: string): Buffer {
  const path = join(folder, name)
  execFileSync('ffmpeg', ['-hide_banner', '-loglevel', 'error', '-y', ...args.split(' '), path])
  return readFileSync(path)
}
const sound = (seconds: number): string => {
  const name = `${seconds}.wav`
  if (!existsSync(join(folder, name))) ffmpeg(`-f lavfi -i sine=frequency=440:sample_rate=44100:duration=${seconds} -ac 2`, name)
  return join(folder, name)
}

const LENGTHS = [15, 30]
const isRight = async (bytes: Buffer, seconds: number) =>
  expect(Math.abs(((await inspectMp3(bytes))?.seconds ?? 0) - seconds)).toBeLessThanOrEqual(0.1)

describe.skipIf(!HAS_LAME)('a spot by LAME', () => {
  it.each([
    '-b 128',
    '-b 128 -t',
    '-V2',
    '-V2 -t',
    '--abr 120 -m m',
    '--resample 22.05 -b 64',
    '--resample 24 -t -b 64',
    '-b 320 --resample 48',
  ])('a spot by LAME is as long as its sound: %s', async (args) => {
    for (const seconds of LENGTHS) {
      const path = join(folder, 'lame.mp3')
      execFileSync('lame', ['--quiet', ...args.split(' '), sound(seconds), path])
      await isRight(readFileSync(path), seconds)
    }
  })
})

describe.skipIf(!HAS_FFMPEG)('a spot by FFmpeg', () => {
  it.each([
    '-c:a libmp3lame',
    '-c:a libmp3lame -write_xing 0',
    '-c:a libmp3lame -q:a 4 -id3v2_version 4 -write_id3v1 1',
    '-c:a libmp3lame -q:a 2 -write_xing 0',
  ])('a spot by FFmpeg is as long as its sound: %s', async (args) => {
    for (const seconds of LENGTHS) await isRight(ffmpeg(`-i ${sound(seconds)} ${args}`, 'ffmpeg.mp3'), seconds)
  })
})

const FILM = '-f lavfi -i testsrc2=s=160x90:r=25:d=1.2'

describe.skipIf(!HAS_FFMPEG)('a video by FFmpeg', () => {
  it.each([
    ['-c:v libx264 -pix_fmt yuv420p', 'a.mp4', []],
    ['-c:v libx264 -pix_fmt yuv420p -profile:v baseline', 'a.mp4', []],
    ['-c:v libx264 -pix_fmt yuv420p -movflags +faststart', 'a.mp4', []],
    ['-c:v libvpx', 'a.webm', []],
    ['-c:v libvpx-vp9 -cpu-used 8 -pix_fmt yuv420p', 'a.webm', []],
    ['-c:v libaom-av1 -cpu-used 8 -pix_fmt yuv420p', 'a.mp4', ['av1']],
  ])('a video by FFmpeg is taken: %s', async (args, name, warnings) => {
    const found = await inspector.inspect(ffmpeg(`${FILM} ${args}`, name))
    expect(found).toMatchObject({ width: 160, height: 90, frameRate: 25, seconds: expect.closeTo(1.2, 1), warnings })
  })

  it.each([
    ['-c:v libx265 -x265-params log-level=none -pix_fmt yuv420p', 'a.mp4', 'HEVC (H.265)'],
    ['-c:v libx264 -pix_fmt yuv444p', 'a.mp4', 'H.264 4:4:4'],
    ['-c:v libx264 -pix_fmt yuv422p', 'a.mp4', 'H.264 4:2:2'],
    ['-c:v libx264 -pix_fmt yuv420p10le', 'a.mp4', 'H.264 10 bit'],
    ['-c:v libx264rgb', 'a.mp4', 'H.264 RGB'],
    ['-c:v libvpx-vp9 -cpu-used 8 -pix_fmt yuv444p', 'a.webm', 'VP9 4:4:4'],
    ['-c:v libvpx-vp9 -cpu-used 8 -pix_fmt yuv420p10le', 'a.webm', 'VP9 10 bit'],
    ['-c:v libaom-av1 -cpu-used 8 -pix_fmt yuv420p10le', 'a.webm', 'AV1 10 bit'],
    ['-c:v mpeg2video', 'a.mp4', 'MPEG-2'],
    ['-c:v mpeg4', 'a.mp4', 'MPEG-4 part 2'],
    ['-c:v mjpeg -pix_fmt yuvj420p', 'a.mp4', 'Motion JPEG'],
  ])('a video by FFmpeg is refused by the name of what browsers do not play: %s', async (args, name, codec) => {
    expect(await inspector.inspect(ffmpeg(`${FILM} ${args}`, name))).toEqual({ fault: 'videoCodec', params: { codec } })
  })

  it.each([
    ['-vf setsar=4/3 -c:v libx264 -pix_fmt yuv420p', 'a.mp4', 213, 90],
    ['-vf setsar=1/2 -c:v libx264 -pix_fmt yuv420p', 'a.mp4', 160, 180],
    ['-vf setsar=2/1 -c:v libvpx', 'a.webm', 320, 90],
  ])('a video by FFmpeg has the size in which it is shown: %s', async (args, name, width, height) => {
    expect(await inspector.inspect(ffmpeg(`${FILM} ${args}`, name))).toMatchObject({ width, height })
  })

  it('a video by FFmpeg is as long as its pictures, not as its sound', async () => {
    const film = '-f lavfi -i testsrc2=s=160x90:r=25:d=0.2 -f lavfi -i sine=d=3 -c:v libx264 -pix_fmt yuv420p'
    expect(await inspector.inspect(ffmpeg(film, 'a.mp4'))).toMatchObject({ seconds: expect.closeTo(0.2, 1) })
  })
})

describe.skipIf(!HAS_FFMPEG)('an animation by FFmpeg', () => {
  it.each([
    ['-loop 0', 'a.gif', 'image/gif'],
    ['-loop 0 -c:v libwebp_anim', 'a.webp', 'image/webp'],
    ['-plays 0 -f apng', 'a.png', 'image/png'],
  ])('keeps its frames: %s', async (args, name, contentType) => {
    const bytes = ffmpeg(`-f lavfi -i testsrc2=s=160x90:r=10:d=0.6 ${args}`, name)
    expect(await images.inspect(bytes)).toMatchObject({ contentType, width: 160, height: 90, frames: 6 })
  })
})
