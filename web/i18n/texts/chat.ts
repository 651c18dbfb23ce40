import chat from '../locales/en/chat.json'
import { addEnglish } from '../add-texts.ts'

// Texts of the chat and the inbox.
addEnglish({ chat })
