import notifications from '../locales/en/notifications.json'
import { addEnglish } from '../add-texts.ts'

// Texts of notifications.
addEnglish({ notifications })
