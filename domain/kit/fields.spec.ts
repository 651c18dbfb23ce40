import { expect, it } from 'vitest'
import {
  complete,
  completeRecord,
  flag,
  initialOf,
  list,
  number,
  optionalRecord,
  optionalText,
  record,
  required,
  text,
  texts,
} from './fields.ts'

const PICTURE = { width: required(number(0)), url: optionalText() }
const DOCUMENT = {
  title: text('Untitled'),
  note: optionalText(),
  tags: texts(),
  open: flag(true),
  cover: optionalRecord(PICTURE),
  pictures: list(record(PICTURE)),
  owner: record({ name: text(''), age: number(18) }),
}
const initial = {
  title: 'Untitled',
  note: null,
  tags: [],
  open: true,
  cover: null,
  pictures: [],
  owner: { name: '', age: 18 },
}

it('a new document holds the initial value of every field', () => {
  expect(initialOf(DOCUMENT)).toEqual(initial)
})

it('omitted and null fields get their initial values at every level', () => {
  expect(completeRecord(DOCUMENT, { title: null, owner: { name: 'Ada', age: null } })).toEqual({
    ...initial,
    owner: { name: 'Ada', age: 18 },
  })
})

it('records in lists and optional records get all their keys', () => {
  const sent = { cover: { width: 3 }, pictures: [{ width: 1 }, { width: 2, url: 'u' }] }
  expect(completeRecord(DOCUMENT, sent)).toEqual({
    ...initial,
    cover: { width: 3, url: null },
    pictures: [
      { width: 1, url: null },
      { width: 2, url: 'u' },
    ],
  })
})

it('unknown keys are dropped, at every level', () => {
  expect(completeRecord(DOCUMENT, { rank: 1, owner: { rank: 1 }, pictures: [{ width: 1, rank: 1 }] })).toEqual({
    ...initial,
    pictures: [{ width: 1, url: null }],
  })
})

it('false, 0 and the empty text are kept as values', () => {
  expect([complete(DOCUMENT.open, false), complete(PICTURE.width, 0), complete(DOCUMENT.title, '')]).toEqual([false, 0, ''])
})
