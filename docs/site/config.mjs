// The documentation site (scripts/docs-site.mjs). Pages are those of this repository; links to sources are shown as their names.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitepress'
import { anchorOf, placardMarkdown } from './markdown.mjs'
import { russianSections, sections } from './sections.mjs'

const MARK =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#3055c5"/><path d="M12 24V9h5a5 5 0 0 1 0 10h-5" fill="none" stroke="#fff" stroke-width="3"/></svg>'
const ICON = `data:image/svg+xml,${encodeURIComponent(MARK)}`

/** The first heading of a page, by its address. */
const titleOf = (link) => /^# (.+)$/m.exec(readFileSync(join(import.meta.dirname, `..${link}.md`), 'utf8'))?.[1] ?? link

const RUSSIAN_SEARCH = {
  button: { buttonText: 'Поиск', buttonAriaLabel: 'Поиск' },
  modal: {
    displayDetails: 'Показать подробности',
    resetButtonTitle: 'Сбросить поиск',
    backButtonTitle: 'Закрыть поиск',
    noResultsText: 'Ничего не найдено:',
    footer: { selectText: 'выбрать', navigateText: 'перейти', closeText: 'закрыть' },
  },
}

export default defineConfig({
  base: process.env.DOCS_BASE,
  title: 'Placard',
  description: 'Self-serve, white-label advertising platform whose campaigns are event-sourced',
  cleanUrls: true,
  // Placeholders such as {id} and <folder> are text.
  markdown: {
    html: false,
    config: placardMarkdown,
    // Ids of headings are read by `placardMarkdown`.
    attrs: { disable: true },
    anchor: { slugify: anchorOf },
    image: { lazyLoading: true },
  },
  head: [
    ['meta', { name: 'color-scheme', content: 'light dark' }],
    ['link', { rel: 'icon', type: 'image/svg+xml', href: ICON }],
  ],
  locales: {
    root: { label: 'English', lang: 'en' },
    ru: {
      label: 'Русский',
      lang: 'ru',
      link: '/ru/',
      description: 'Рекламная платформа: руководства для пользователей',
      themeConfig: {
        nav: [
          { text: 'Руководства', link: '/ru/getting-started', activeMatch: '/ru/.' },
          { text: 'Вся документация (английский)', link: '/operating' },
        ],
        sidebar: russianSections(titleOf),
        outline: { level: [2, 3], label: 'На этой странице' },
        docFooter: { prev: 'Назад', next: 'Далее' },
        darkModeSwitchLabel: 'Тема',
        lightModeSwitchTitle: 'Светлая тема',
        darkModeSwitchTitle: 'Тёмная тема',
        sidebarMenuLabel: 'Меню',
        returnToTopLabel: 'Наверх',
        langMenuLabel: 'Язык',
        skipToContentLabel: 'К содержанию',
        notFound: { title: 'Страница не найдена', quote: 'Проверьте адрес или воспользуйтесь поиском.', linkText: 'На главную' },
      },
    },
  },
  themeConfig: {
    logo: ICON,
    // Russian has the guides alone, so the other language opens on its first page.
    i18nRouting: false,
    search: { provider: 'local', options: { locales: { ru: { translations: RUSSIAN_SEARCH } } } },
    outline: [2, 3],
    notFound: { title: 'Page not found', quote: 'Check the address, or use the search.', linkText: 'Go to the first page' },
    nav: [
      { text: 'Tutorials', link: '/tutorials/advertiser', activeMatch: '/tutorials/' },
      { text: 'Guides', link: '/help/en/getting-started', activeMatch: '/help/en/' },
      { text: 'Operate', link: '/operating' },
      { text: 'Explanations', link: '/read-models' },
      { text: 'Reference', link: '/reference/api', activeMatch: '/reference/' },
    ],
    sidebar: sections(titleOf),
  },
})
