import { cases, type FactIn } from "../cases.ts";
import { commandLine } from "../command-line.ts";
import { count, listNames } from "../words.ts";
import type { Named, Quoted, Word } from "./values.ts";

/** Why a file cannot name the server's value of a field: a clause. */
export const inexpressibleText = cases("why", {
  "groups-not-in-use": ({ groups }: { groups: readonly Quoted[] }) => {
    const names = groups.map(({ quoted }) => quoted);
    return `the ${names.length === 1 ? "group" : "groups"} ${listNames(names)} ${names.length === 1 ? "is" : "are"} not in use on the server`;
  },
  /** Somebody who is there is in a group that `except` of the list leaves out. */
  "excepted-group": ({ groups }: { groups: readonly Quoted[] }) =>
    `somebody who is there is in ${listNames(groups.map(({ quoted }) => quoted))}, which except leaves out`,
  "folder-not-in-use": ({ folder }: { folder: Quoted }) => `the folder ${folder.quoted} is not in use on the server`,
  "channel-not-in-use": ({ channel }: { channel: Quoted }) =>
    `the channel ${channel.quoted} is not in use, or this account does not see it`,
  "account-deactivated": ({ email }: { email: Quoted }) =>
    `the account ${email.quoted} is deactivated; name another one, or delete the field to leave it as it is`,
  "role-unknown": ({ role }: { role: number }) => `this version does not know role ${role}`,
  /** A newer server has values that this version does not know. */
  "value-unknown": ({ is, field }: { field: Word; is: Quoted }) =>
    `this version does not know the value ${is.quoted} of ${field}; delete the field to leave it as it is`,
  /** Names were exchanged, and only some of the objects are taken. @property together all entries whose names were exchanged */
  "name-in-file": ({ name, together }: { name: Quoted; together: readonly Named[] }) =>
    `another entry of the file is called ${name.quoted}; take them together: ${commandLine(["adopt", ...together.map(({ address }) => address)])}`,
  /** The server does not give back an uploaded file. */
  picture: ({ field, is }: { field: Word; is: Word }) =>
    `the server does not give back the file of a picture; save it (realmctl export --kinds settings --out FILE does) and write ${field}: ${/^version \d+$/.test(is) ? `{image: PATH, ${is.replace(" ", ": ")}}` : "PATH"}, or delete ${field} to leave the picture alone`,
  /** An entry of the file is also about other objects. */
  "part-of-entry": "its entry is also about others; write an entry of its own for it",
  /** The file has addresses that this account may just not see. */
  "addresses-unseen": ({ field }: { field: Word }) =>
    `this account does not see everybody's address, so those in ${field} may be right; take it with an administrator's account`,
  /** The account does not see every object of the kind. */
  unseen: ({ noun }: { noun: Word }) =>
    `this account does not see every ${noun}, so it is not known whether it is still there; take it with an administrator's account`,
});
export type InexpressibleFact = FactIn<typeof inexpressibleText>;

/** A part of a section's state on the server that no file can express: a line of a comment. */
export const exportCaveatText = cases("caveat", {
  "terms-of-links": "the server does not show channels, groups and welcome texts of links",
  "terms-of-invitations":
    "the server does not show channels, groups and welcome texts of invitations, nor how long they were valid",
  /** Links belong into another section. */
  "links-elsewhere": ({ number, section }: { section: Word; number: number }) =>
    `${count(number, "invitation link", "invitation links")} not listed: they are in a separate section, ${section}`,
  "subscribers-unknown": ({ number }: { number: number }) =>
    `subscribers of ${count(number, "private channel", "private channels")} not listed: this reading does not have them, so who reads ${number === 1 ? "it" : "them"} cannot be told`,
  "invitations-without-address": ({ number }: { number: number }) =>
    `${count(number, "invitation", "invitations")} without an address not listed`,
});
export type ExportCaveat = FactIn<typeof exportCaveatText>;

/** Why a picture was not fetched, and is not beside an exported file: the second half of a sentence. */
export const unfetchedText = cases("why", {
  elsewhere: ({ host }: { host: Word }) =>
    `its picture is at ${host}, and realmctl fetches pictures only from the organization's own server: if you trust that host, name it with --pictures-from`,
  "no-address": "the server gives no address of its picture",
  status: ({ status }: { status: number }) => `the server answered ${status} to the request for its picture`,
  "no-answer": "the server did not answer when its picture was fetched",
  "no-picture": "the server's file is not a PNG, JPEG, GIF or WebP",
  "too-large": ({ most_mebibytes }: { most_mebibytes: number }) => `its picture has more than ${most_mebibytes} MiB`,
  "too-many": "there are more pictures than one file can name",
});
export type UnfetchedPicture = FactIn<typeof unfetchedText>;
