import { helloEn, helloRu, type MailTemplate } from '#commands/mail/template'

/** A registration named an address that has an account already (fine print 56). */
export const addressRegistered: MailTemplate = {
  for: 'active',
  path: '/auth/forgot-password',
  texts: {
    en: (values) => ({
      subject: `You already have a ${values.brand} account`,
      preview: 'A registration with your address was not needed.',
      heading: 'You already have an account',
      paragraphs: [
        helloEn(values),
        `A registration with ${values.brand} named this email address, which already has an account or a registration. Nothing was changed.`,
        'If you do not remember your password, reset it.',
      ],
      button: { label: 'Reset the password', url: values.link },
      notes: ['If you did not try to register, ignore this mail.'],
    }),
    ru: (values) => ({
      subject: `У вас уже есть учётная запись в ${values.brand}`,
      preview: 'Повторная регистрация не нужна.',
      heading: 'У вас уже есть учётная запись',
      paragraphs: [
        helloRu(values),
        `При регистрации в ${values.brand} был указан этот адрес, но для него уже есть учётная запись или заявка. Ничего не изменилось.`,
        'Если вы не помните пароль, восстановите его.',
      ],
      button: { label: 'Восстановить пароль', url: values.link },
      notes: ['Если вы не пытались зарегистрироваться, не обращайте внимания на это письмо.'],
    }),
  },
}
