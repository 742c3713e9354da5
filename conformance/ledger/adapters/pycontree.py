"""Ask slim0/pyContree: a deal played at its console, from a work tree whose folder is the first argument."""

import sys

sys.path.insert(0, sys.argv[1])
import cartes
import joueurs
from partie import Manche, Partie, PhaseAnnonce
from serve import Rejected, refuse_early, serve

SUITS = {"S": cartes.PIQUE, "H": cartes.COEUR, "D": cartes.CARREAUX, "C": cartes.TREFLE}
RANKS = {"A": "1", "K": "R", "Q": "D", "J": "V"}
RANK = {rank: letter for letter, rank in RANKS.items()}
LETTER = {suit.nom: letter for letter, suit in SUITS.items()}
LAST_TRICK = 10


class Unfinished(Exception):
    """The program waits for an answer that was not given."""


def card(text, trump):
    one = cartes.CarteBelote(RANKS.get(text[:-1], text[:-1]), SUITS[text[-1]])
    one.atout = text[-1] == trump
    return one


def text(one):
    return RANK.get(one.valeur, one.valeur) + LETTER[one.couleur.nom]


def match():
    players = [joueurs.Joueur(str(seat)) for seat in range(4)]
    return Partie(joueurs.Equipe(players[0], players[2]), joueurs.Equipe(players[1], players[3]))


def trick_of(players, leader, cards, trump):
    laid = cartes.Pli([card(one, trump) for one in cards])
    for i, one in enumerate(laid):
        one.joueur = players[(leader + i) % 4]
    return laid


def winner(trick, trump):
    return int(trick._ranger_par_force(couleur_atout=SUITS[trump])[0].joueur.nom)


def card_points(_, asked):
    points = sum(card(one, asked["trump"]).score for one in asked["cards"])
    return {"points": points + (LAST_TRICK if asked.get("last_trick") else 0)}


def trick_winner(_, asked):
    trick = trick_of(match().joueurs, asked["leader"], asked["cards"], asked["trump"])
    return {"winner": winner(trick, asked["trump"])}


def accepted(player, trick, trump, wanted):
    """Say whether the program lets a player lay a card: else it asks again."""
    answers = iter([next(i for i, one in enumerate(player.main) if text(one) == wanted)])

    def answer(_):
        try:
            return next(answers)
        except StopIteration:
            raise Unfinished from None

    joueurs.input = answer
    try:
        player._jouer_carte(pli=trick, couleur_atout=SUITS[trump])
    except Unfinished:
        return False
    return True


def legal_cards(_, asked):
    trump, cards = asked["trump"], []
    for wanted in asked["hand"]:
        players = match().joueurs
        player = players[len(asked["trick"])]
        player.main = cartes.CarteSetBelote([card(one, trump) for one in asked["hand"]])
        if accepted(player, trick_of(players, 0, asked["trick"], trump), trump, wanted):
            cards.append(wanted)
    return {"cards": cards}


class Talk:
    """Bids as the answers that the console wants: does a player bid, in which suit, how much."""

    def __init__(self, bids):
        self.bids, self.at, self.said = bids, 0, None

    def __call__(self, question, choices):
        if question.startswith("Souhaitez"):
            if self.at == len(self.bids):
                raise Unfinished
            self.said = self.bids[self.at]
            if self.said.endswith("double"):
                raise Rejected("may-not-double", self.at)
            if self.said == "pass":
                self.at += 1
            return "n" if self.said == "pass" else "o"
        if question.startswith("Couleur"):
            if self.said[-1] not in SUITS:
                raise Rejected("bid-too-low", self.at)
            return SUITS[self.said[-1]].nom
        if self.said[:-1] not in choices:
            raise Rejected("bid-too-low", self.at)
        self.at += 1
        return self.said[:-1]


def bidding(_, asked):
    game = match()
    seats = [(asked["dealer"] + 1 + i) % 4 for i in range(4)]
    talk = joueurs.poser_question = Talk(asked["bids"])
    phase = PhaseAnnonce(ordre_initial=[game.joueurs[seat] for seat in seats])
    try:
        best = phase.lancer()
    except Unfinished:
        numbers = [one for one in joueurs.Annonce.VALID_SCORES if one > phase.meilleure_annonce.score_a_faire]
        choices = ["pass", *(f"{one}{suit}" for one in numbers for suit in SUITS)]
        return {"state": "open", "turn": seats[talk.at % 4], "choices": choices}
    if talk.at < len(asked["bids"]):
        raise Rejected("bidding-over", talk.at)
    if best.joueur is None:
        return {"state": "failed"}
    return {"state": "taken", **taken(best)}


def taken(best):
    return {"taker": int(best.joueur.nom), "trump": LETTER[best.atout.nom], "bid": best.score_a_faire, "raised": 1}


class Console:
    """Sits at the console for a whole deal: gives each player the action that the question has for him."""

    def __init__(self, actions):
        self.actions, self.at = actions, next((at for at, one in enumerate(actions) if "bid" not in one), len(actions))
        self.talk = joueurs.poser_question = Talk([one["bid"] for one in actions[: self.at]])
        self.say, self.lay = joueurs.Joueur._annoncer, joueurs.Joueur._jouer_carte

    def bid(self, player, meilleure_annonce):
        if self.talk.at < len(self.actions):
            refuse_early(self.actions[self.talk.at], self.talk.at, bids=True, turn=int(player.nom))
        return self.say(player, meilleure_annonce)

    def play(self, player, pli, couleur_atout):
        at = self.at
        if at == len(self.actions):
            raise Rejected("unfinished", at)
        refuse_early(self.actions[at], at, bids=False, turn=int(player.nom))
        places = [i for i, one in enumerate(player.main) if text(one) == self.actions[at]["play"]]
        if not places:
            raise Rejected("card-not-held", at)

        def answer(_):
            if not places:
                raise Rejected("illegal-card", at)
            return places.pop()

        joueurs.input = answer
        self.at += 1
        return self.lay(player, pli, couleur_atout)

    def run(self, deal):

        def annoncer(player, meilleure_annonce):
            return self.bid(player, meilleure_annonce)

        def jouer_carte(player, pli, couleur_atout):
            return self.play(player, pli, couleur_atout)

        joueurs.Joueur._annoncer, joueurs.Joueur._jouer_carte = annoncer, jouer_carte
        joueurs.input = lambda _: "n"
        bids = self.at
        try:
            end = deal.lancer()
        except Unfinished:
            raise Rejected("wrong-phase" if bids < len(self.actions) else "unfinished", bids) from None
        finally:
            joueurs.Joueur._annoncer, joueurs.Joueur._jouer_carte = self.say, self.lay
        taken = deal.meilleure_annonce.joueur is not None
        if self.talk.at < bids:
            raise Rejected("wrong-phase" if taken else "deal-over", self.talk.at)
        if self.at < len(self.actions):
            raise Rejected("deal-over", self.at)
        return end if taken else None


def replay(_, asked):
    if "taker" in asked:
        raise Rejected("wrong-phase", 0)
    game = match()
    game.donneur = game.joueurs[asked["dealer"]]
    deck = game.jeu_de_carte
    deck._couper = lambda: None
    packets = [hand[start:end] for start, end in ((0, 3), (3, 5), (5, 8)) for hand in asked["hands"]]
    deck.cartes = [card(one, None) for packet in packets for one in packet]
    deal = Manche(partie=game)
    belote = []
    # What the program forgets when the deal is over.
    deal._reinit_joueurs = lambda annonce: belote.extend(
        20 * any(player.belote for player in game.joueurs[side::2]) for side in (0, 1)
    )
    end = Console(asked["actions"]).run(deal)
    if end is None:
        return {"ended": "passed"}
    score = [end.score_equipeA, end.score_equipeB]
    return {"ended": "played", **taken(deal.meilleure_annonce), "belote": belote, "score": score}


serve(
    {
        "name": "slim0/pyContree",
        "version": "4a6feb6",
        "language": "Python",
        "profiles": ["contree+exact-points"],
        "deals": "hands",
        "announcing": "automatic",
        "knows": {"modes": ["S", "H", "D", "C"], "calls": []},
        "fields": {"replay": ["ended", "taker", "trump", "raised", "belote", "score"]},
    },
    {
        "card-points": card_points,
        "trick-winner": trick_winner,
        "legal-cards": legal_cards,
        "bidding": bidding,
        "replay": replay,
    },
)
