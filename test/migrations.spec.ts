import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { MIGRATIONS } from '#migrations/index'
import { root } from './support/product-process.ts'

/** The version before goes on while a new one migrates (docs/upgrading.md). Its processes were not written for what these take away. */
const TAKES_AWAY =
  /\bdrop\s+(?:table|column|schema|view|function)\b|\brename\s+(?:to|column)\b|\balter\s+column\b[^;`]*\b(?:type|set\s+not\s+null)\b|\badd\s+column\s+(?:(?!default|generated)[^,;`])*\bnot\s+null\b(?![^,;`]*\b(?:default|generated)\b)/i

/** Migrations with why no process of the version before misses what they take away. */
const HARMLESS: Readonly<Record<string, string>> = {}

const takesAway = (statements: string): boolean => TAKES_AWAY.test(statements.replaceAll(/--.*$|\/\/.*$/gm, ''))
const textOf = (name: string): string => readFileSync(join(root, 'migrations', `${name}.ts`), 'utf8')

describe('a migration', () => {
  it('takes nothing away that the version before uses', () => {
    const [, ...later] = Object.keys(MIGRATIONS)
    expect(later.length).toBeGreaterThan(0)
    expect(later.filter((name) => takesAway(textOf(name)) && HARMLESS[name] === undefined)).toEqual([])
    expect(Object.keys(HARMLESS).filter((name) => !later.includes(name))).toEqual([])
  })

  it.each([
    ['drop table app.jobs', true],
    ['alter table app.jobs drop column kind', true],
    ['alter table app.jobs rename column kind to sort', true],
    ['alter table app.jobs rename to app.work', true],
    ['alter table app.jobs alter column kind type int', true],
    ['alter table app.jobs alter column kind set not null', true],
    ['alter table app.jobs add column kind text not null', true],
    ["alter table app.jobs add column kind text not null default ''", false],
    ['alter table app.jobs add column kind text', false],
    ['create table app.jobs (kind text not null)', false],
    ['-- drop table app.jobs', false],
    ['alter table app.jobs drop constraint jobs_kind', false],
  ])('a migration: %s: %s', (statement, expected) => expect(takesAway(statement)).toBe(expected))
})
