import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { isAbsence, isBusy } from './s3-faults.ts'
import { createS3Files } from './s3-files.ts'

const SECRET = 'wJalrXUtnFEMI'

describe('the URL of files in S3', () => {
  it.each([
    's3://bucket',
    's3://bucket/',
    's3://bucket/a/prefix/',
    's3://bucket?region=eu-west-1&path_style=true',
    's3://bucket?endpoint=http://127.0.0.1:9000',
    's3://my.bucket-1?endpoint=https://s3.example.com/&path_style=false',
  ])('accepts %s', async (url) => {
    const store = await createS3Files(url)
    store.close()

    expect(store).toMatchObject({ put: expect.any(Function), get: expect.any(Function) })
  })

  it.each([
    [SECRET, 'must look like'],
    [`https://bucket/${SECRET}`, 'must look like'],
    [`s3://key:${SECRET}@bucket`, 'must not hold credentials'],
    [`s3://${SECRET}@bucket`, 'must not hold credentials'],
    ['s3://', 'needs a bucket name'],
    ['s3:///prefix', 'needs a bucket name'],
    ['s3://My_Bucket', 'needs a bucket name'],
    ['s3://localhost:9000/bucket', 'set host and port in endpoint'],
    ['s3://bucket/a//b', 'single slashes'],
    ['s3://bucket/%2Fb', 'single slashes'],
    ['s3://bucket/a b', 'single slashes'],
    [`s3://bucket#${SECRET}`, 'must not hold a #'],
    [`s3://bucket?secret_key=${SECRET}`, 'may set endpoint, region, path_style and nothing else'],
    [`s3://bucket?${SECRET}`, 'and nothing else'],
    ['s3://bucket?region=a&region=b', 'each option once'],
    ['s3://bucket?region=', 'a region like eu-west-1'],
    ['s3://bucket?region=a.evil.example/', 'a region like eu-west-1'],
    ['s3://bucket?path_style=yes', 'path_style=true or path_style=false'],
    ['s3://bucket?endpoint=', 'an endpoint like http'],
    ['s3://bucket?endpoint=127.0.0.1:9000', 'an endpoint like http'],
    ['s3://bucket?endpoint=ftp://127.0.0.1', 'an endpoint like http'],
    [`s3://bucket?endpoint=http://key:${SECRET}@127.0.0.1`, 'an endpoint like http'],
    [`s3://bucket?endpoint=http://127.0.0.1/?key=${SECRET}`, 'an endpoint like http'],
  ])('refuses %s', async (url, message) => {
    const error: unknown = await createS3Files(url).catch((thrown: unknown) => thrown)

    expect(error).toBeInstanceOf(Error)
    expect(String(error)).toContain(message)
    expect(String(error)).not.toContain(SECRET)
    expect(error).not.toHaveProperty('cause')
    expect(error).not.toHaveProperty('input')
  })
})

it('a call that takes longer than it may, such as a large upload, fails alone', () => {
  const tooLong = Object.assign(new Error('Request aborted'), { name: 'AbortError' })
  expect([isAbsence(tooLong), isBusy(tooLong)]).toEqual([false, true])
  const silent = Object.assign(new Error('no data'), { name: 'TimeoutError' })
  expect(isAbsence(silent)).toBe(true)
})

it('says nothing about the version of Node.js: the start does', () => {
  const script =
    "import { createS3Files } from './platform/files/s3-files.ts'; await createS3Files('s3://bucket').then((files) => files.close())"
  const run = spawnSync(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', script], { encoding: 'utf8' })
  expect([run.status, run.stderr]).toEqual([0, ''])
})
