import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pageText, withFirst } from './banner-page.ts'

describe('the text of a page', () => {
  it.each([
    ['UTF-8', Buffer.from('<p>é'), '<p>é'],
    ['UTF-8 with a mark', Buffer.from('\uFEFF<p>é'), '<p>é'],
    ['UTF-16 with a mark', Buffer.from('\uFEFF<p>é', 'utf16le'), '<p>é'],
    ['UTF-16 with a mark, the other way round', Buffer.from('\uFEFF<p>é', 'utf16le').swap16(), '<p>é'],
    ['UTF-16 without a mark', Buffer.from('<p>é', 'utf16le'), '<p>é'],
    ['an encoding that it names', Buffer.from('<meta charset="windows-1251">\u00e9', 'latin1'), '<meta charset="windows-1251">й'],
    ['none that exists', Buffer.from('<meta charset="none-such">\u00e9', 'latin1'), '<meta charset="none-such">é'],
    ['nothing', Buffer.alloc(0), ''],
  ])('the text of a page is read as %s', (_, bytes, text) => {
    expect(pageText(bytes)).toBe(text)
  })

  it('never throws', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => typeof pageText(Buffer.from(bytes)) === 'string'))
  })
})

describe('the first script of a page', () => {
  it.each([
    ['<!doctype html><html lang="en"><head data-a="b>"><title>', '<!doctype html><html lang="en"><head data-a="b>">|<title>'],
    [
      '<!DOCTYPE html>\n<!-- made by a tool: <head> -->\n<html>\n<head>\n<meta>',
      '<!DOCTYPE html>\n<!-- made by a tool: <head> -->\n<html>\n<head>\n|<meta>',
    ],
    ['<p>no head</p>', '|<p>no head</p>'],
    [
      '<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml"><head><title>',
      '<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml"><head>|<title>',
    ],
    ['<!doctype html><!-- a --!><head><title>-->', '<!doctype html><!-- a --!><head>|<title>-->'],
    [
      "<!doctype html><html data-by=d'Or><head data-a = '>'><title>",
      "<!doctype html><html data-by=d'Or><head data-a = '>'>|<title>",
    ],
    ['<!doctype html><script>run()</script>', '<!doctype html>|<script>run()</script>'],
    ['<!--><script>run()</script>-->', '<!-->|<script>run()</script>-->'],
    ['<!-- never closed', '|<!-- never closed'],
    ['<html never closed', '|<html never closed'],
    ['<header>', '|<header>'],
    ['', '|'],
    ['<html><body onload="init()">', '<html>|<body onload="init()">'],
  ])('stands before any other in %j', (page, expected) => {
    expect(withFirst('|', page)).toBe(expected)
  })

  it('changes nothing else', () => {
    const part = fc.constantFrom(
      '<!doctype html>',
      '<html>',
      '<head>',
      '<!--',
      '-->',
      '>',
      '"',
      "'",
      '<head a="',
      ' ',
      '<p>',
      'x',
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const page = parts.join('')
        expect(withFirst('|', page).replace('|', '')).toBe(page)
      }),
    )
  })
})
