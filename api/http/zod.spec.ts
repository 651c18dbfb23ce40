import { describe, expect, it } from 'vitest'
import { faultOfIssue, IN_SENTENCES, z } from './zod.ts'

const faultsOf = (schema: z.ZodMiniType, value: unknown) => {
  const { error } = schema.safeParse(value, IN_SENTENCES)
  return (error?.issues ?? []).map((issue) => faultOfIssue(issue.path.join('.'), issue, value))
}
const list = z.array(z.int()).check(z.maxLength(2))

describe('a value that the contract refuses has a sentence of the product', () => {
  it.each([
    ['nothing', z.object({ a: z.string() }), {}, 'required', 'Field is required.'],
    ['nothing of several types', z.object({ a: z.union([z.string(), z.number()]) }), {}, 'required', 'Field is required.'],
    ['a number', z.object({ a: z.string() }), { a: 1 }, 'needText', 'A text is needed'],
    ['a text', z.object({ a: z.number() }), { a: 'x' }, 'numeric', /^The field value needs to be a number/],
    ['a fraction', z.object({ a: z.int() }), { a: 1.5 }, 'needWhole', 'A whole number is needed'],
    ['null', z.object({ a: z.boolean() }), { a: null }, 'needYesNo', 'true or false is needed'],
    ['a record', z.object({ a: list }), { a: {} }, 'needList', 'A list is needed'],
    ['a long list', z.object({ a: list }), { a: [1, 2, 3] }, 'tooMany', 'At most 2 entries are allowed'],
    [
      'a long text',
      z.object({ a: z.string().check(z.maxLength(2)) }),
      { a: 'xxx' },
      'maxLength',
      'Maximum 2 characters allowed!',
    ],
    ['an empty text', z.object({ a: z.string().check(z.minLength(1)) }), { a: '' }, 'required', 'Field is required.'],
    ['a large number', z.object({ a: z.number().check(z.lte(5)) }), { a: 6 }, 'atMost', 'The value should not be above 5'],
    ['the bound itself', z.object({ a: z.number().check(z.gt(5)) }), { a: 5 }, 'above', 'The value should be above 5'],
    ['another word', z.object({ a: z.enum(['app', 'web']) }), { a: 'x' }, 'oneOf', 'This value should be one of these: app, web'],
    ['a day that is none', z.object({ a: z.iso.datetime() }), { a: 'soon' }, 'wrongForm', /expected form/],
    ['a name too many', z.strictObject({}), { b: 1 }, 'unknownNames', 'These names are not known: b'],
    ['a record for either', z.union([z.string(), z.number()]), {}, 'notAllowed', 'This value is not one of those allowed'],
  ])('a refused value has a sentence of the product: %s', (_, schema, value, key, message) => {
    expect(faultsOf(schema, value)).toEqual([
      expect.objectContaining({ code: 2, key, message: typeof message === 'string' ? message : expect.stringMatching(message) }),
    ])
  })

  it('a refused value has the sentence of the contract where it has one', () => {
    const schema = z.object({ a: z.string().check(z.refine((text) => text !== 'x', 'No x')) })
    expect(faultsOf(schema, { a: 'x' })).toEqual([{ path: 'a', code: 2, message: 'No x' }])
  })
})
