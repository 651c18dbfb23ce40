import type { Language } from '#domain/kit/languages'

type About = { readonly brand: string; readonly at: string; readonly hasPicture: boolean }

/** README.txt of a copy: what each file holds. */
export const readme = (language: Language, about: About): string =>
  `${TEXTS[language](about)
    .filter((line) => line !== null)
    .join('\n')}\n`

const TEXTS: Readonly<Record<Language, (about: About) => readonly (string | null)[]>> = {
  en: ({ brand, at, hasPicture }) => [
    `Your data in ${brand}`,
    `Copied ${at}. Times are UTC.`,
    '',
    'person.json',
    '  record                your name, address, phone number, roles, account and settings',
    '  memberships           other accounts that you joined or are invited to, with your roles there',
    '  registration          when you registered, and what was decided',
    '  second_factor         since when it is on, and how many recovery codes are left; never the secret or the codes',
    '  passkeys, api_keys    their names and times; never the keys',
    '  single_sign_on        identity providers that you are linked to, and the name that they know you by',
    '  directory             the id that the directory of your organisation gave you, where it manages your access',
    '  sessions              where and when you signed in, with the browser and the network',
    '  known_networks, known_devices',
    '                        when they were last seen; the networks and devices themselves are stored as hashes',
    '  security_events       sign-ins, failed ones, changed credentials and what else happened to your security',
    '  notification_choices  what you are notified of, and how',
    '  mails, notifications  what was sent to you, and when; mails are removed after a while',
    '  saved_reports         reports that you saved',
    '  labels                labels of campaigns that you created',
    '  list_views            views of the lists of campaigns that you saved',
    '  scheduled_changes     changes of campaigns that you scheduled; old ones are removed after a while',
    '  guide_closed_at       when you closed the first steps',
    '  terms                 the terms of service that you agreed to',
    'messages.json           messages that you wrote in the chat; from_staff marks answers that you gave as staff',
    hasPicture ? 'picture.*               your picture' : null,
    '',
    'Passwords, codes, keys and their hashes are not in this file. Campaigns, audiences, invoices and reports belong to the account: its users download them there.',
  ],
  ru: ({ brand, at, hasPicture }) => [
    `Ваши данные в ${brand}`,
    `Копия от ${at}. Время указано в UTC.`,
    '',
    'person.json',
    '  record                имя, адрес, телефон, роли, кабинет и настройки',
    '  memberships           другие кабинеты, в которые вы вошли или приглашены, и роли в них',
    '  registration          когда вы зарегистрировались и какое решение принято',
    '  second_factor         с какого времени он включён и сколько резервных кодов осталось; без секрета и кодов',
    '  passkeys, api_keys    названия и время; без самих ключей',
    '  single_sign_on        провайдеры единого входа, с которыми вы связаны, и имя, под которым они вас знают',
    '  directory             код, который вам дал каталог вашей организации, если он управляет вашим доступом',
    '  sessions              где и когда вы входили, с браузером и сетью',
    '  known_networks, known_devices',
    '                        когда их видели в последний раз; сами сети и устройства хранятся как хеши',
    '  security_events       входы, неудачные входы, смена паролей и ключей и другие события безопасности',
    '  notification_choices  о чём и как вас уведомлять',
    '  mails, notifications  что и когда вам отправлено; письма через некоторое время удаляются',
    '  saved_reports         сохранённые вами отчёты',
    '  labels                созданные вами метки кампаний',
    '  list_views            сохранённые вами виды списков кампаний',
    '  scheduled_changes     изменения кампаний, которые вы запланировали; старые через некоторое время удаляются',
    '  guide_closed_at       когда вы закрыли первые шаги',
    '  terms                 условия использования, с которыми вы согласились',
    'messages.json           ваши сообщения в чате; from_staff отмечает ответы, которые вы дали как сотрудник',
    hasPicture ? 'picture.*               ваша фотография' : null,
    '',
    'Паролей, кодов, ключей и их хешей в этом файле нет. Кампании, аудитории, счета и отчёты принадлежат кабинету: его пользователи скачивают их там.',
  ],
}
