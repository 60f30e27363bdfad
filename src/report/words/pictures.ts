import type { UnfetchedPicture } from "../../model/shown-picture.ts";

/** Why a picture is not beside an exported file: the second half of a sentence. */
export function unfetchedText(unfetched: UnfetchedPicture): string {
  switch (unfetched.why) {
    case "elsewhere":
      return `its picture is at ${unfetched.host}, and realmctl fetches pictures only from the organization's own server: if you trust that host, name it with --pictures-from`;
    case "no-address":
      return "the server gives no address of its picture";
    case "status":
      return `the server answered ${unfetched.status} to the request for its picture`;
    case "no-answer":
      return "the server did not answer when its picture was fetched";
    case "no-picture":
      return "the server's file is not a PNG, JPEG, GIF or WebP";
    case "too-large":
      return `its picture has more than ${unfetched.most_mebibytes} MiB`;
    case "too-many":
      return "there are more pictures than one file can name";
  }
}
