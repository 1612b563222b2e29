#include "hearsay/learner/bibliography.h"

#include <algorithm>
#include <array>

namespace hearsay {

std::span<const Paper> papers() {
  static constexpr std::array<Paper, 15> kPapers = {{
      {"Kocak, Neu, Valko, AISTATS 2016", "kocak2016noisy",
       R"(@inproceedings{kocak2016noisy,
  author    = {Koc{\'a}k, Tom{\'a}{\v{s}} and Neu, Gergely and Valko, Michal},
  title     = {Online Learning with Noisy Side Observations},
  booktitle = {Proceedings of the 19th International Conference on Artificial Intelligence and Statistics},
  series    = {Proceedings of Machine Learning Research},
  volume    = {51},
  year      = {2016}
})"},
      {"Auer, Cesa-Bianchi, Freund, Schapire, SIAM J. Comput. 2002", "auer2002nonstochastic",
       R"(@article{auer2002nonstochastic,
  author  = {Auer, Peter and Cesa-Bianchi, Nicol{\`o} and Freund, Yoav and Schapire, Robert E.},
  title   = {The Nonstochastic Multiarmed Bandit Problem},
  journal = {SIAM Journal on Computing},
  volume  = {32},
  number  = {1},
  pages   = {48--77},
  year    = {2002}
})"},
      {"Kocak, Neu, Valko, Munos, NIPS 2014", "kocak2014implicit",
       R"(@inproceedings{kocak2014implicit,
  author    = {Koc{\'a}k, Tom{\'a}{\v{s}} and Neu, Gergely and Valko, Michal and Munos, R{\'e}mi},
  title     = {Efficient Learning by Implicit Exploration in Bandit Problems with Side Observations},
  booktitle = {Advances in Neural Information Processing Systems 27},
  year      = {2014}
})"},
      {"Freund, Schapire, J. Comput. Syst. Sci. 1997", "freund1997decision",
       R"(@article{freund1997decision,
  author  = {Freund, Yoav and Schapire, Robert E.},
  title   = {A Decision-Theoretic Generalization of On-Line Learning and an Application to Boosting},
  journal = {Journal of Computer and System Sciences},
  volume  = {55},
  number  = {1},
  pages   = {119--139},
  year    = {1997}
})"},
      {"Zimmert, Seldin, JMLR 2021", "zimmert2021tsallis",
       R"(@article{zimmert2021tsallis,
  author  = {Zimmert, Julian and Seldin, Yevgeny},
  title   = {{Tsallis-INF}: An Optimal Algorithm for Stochastic and Adversarial Bandits},
  journal = {Journal of Machine Learning Research},
  volume  = {22},
  number  = {28},
  pages   = {1--49},
  year    = {2021}
})"},
      {"Alon, Cesa-Bianchi, Gentile, Mansour, NIPS 2013", "alon2013domination",
       R"(@inproceedings{alon2013domination,
  author    = {Alon, Noga and Cesa-Bianchi, Nicol{\`o} and Gentile, Claudio and Mansour, Yishay},
  title     = {From Bandits to Experts: A Tale of Domination and Independence},
  booktitle = {Advances in Neural Information Processing Systems 26},
  year      = {2013}
})"},
      {"Alon, Cesa-Bianchi, Dekel, Koren, COLT 2015", "alon2015feedback",
       R"(@inproceedings{alon2015feedback,
  author    = {Alon, Noga and Cesa-Bianchi, Nicol{\`o} and Dekel, Ofer and Koren, Tomer},
  title     = {Online Learning with Feedback Graphs: Beyond Bandits},
  booktitle = {Proceedings of the 28th Conference on Learning Theory},
  series    = {Proceedings of Machine Learning Research},
  volume    = {40},
  year      = {2015}
})"},
      {"Eldowa, Esposito, Cesari, Cesa-Bianchi, NeurIPS 2023", "eldowa2023minimax",
       R"(@inproceedings{eldowa2023minimax,
  author    = {Eldowa, Khaled and Esposito, Emmanuel and Cesari, Tommaso and Cesa-Bianchi, Nicol{\`o}},
  title     = {On the Minimax Regret for Online Learning with Feedback Graphs},
  booktitle = {Advances in Neural Information Processing Systems 36},
  year      = {2023}
})"},
      {"Kocak, Neu, Valko, UAI 2016", "kocak2016erdos",
       R"(@inproceedings{kocak2016erdos,
  author    = {Koc{\'a}k, Tom{\'a}{\v{s}} and Neu, Gergely and Valko, Michal},
  title     = {Online Learning with {Erd{\H{o}}s-R{\'e}nyi} Side-Observation Graphs},
  booktitle = {Proceedings of the 32nd Conference on Uncertainty in Artificial Intelligence},
  year      = {2016}
})"},
      {"Ito, Tsuchiya, Honda, NeurIPS 2022", "ito2022nearly",
       R"(@inproceedings{ito2022nearly,
  author    = {Ito, Shinji and Tsuchiya, Taira and Honda, Junya},
  title     = {Nearly Optimal Best-of-Both-Worlds Algorithms for Online Learning with Feedback Graphs},
  booktitle = {Advances in Neural Information Processing Systems 35},
  year      = {2022}
})"},
      {"Ito, Tsuchiya, Honda, COLT 2024", "ito2024adaptive",
       R"(@inproceedings{ito2024adaptive,
  author    = {Ito, Shinji and Tsuchiya, Taira and Honda, Junya},
  title     = {Adaptive Learning Rate for Follow-the-Regularized-Leader: Competitive Analysis and Best-of-Both-Worlds},
  booktitle = {Proceedings of the 37th Conference on Learning Theory},
  series    = {Proceedings of Machine Learning Research},
  volume    = {247},
  pages     = {2522--2563},
  year      = {2024}
})"},
      {"Caron, Kveton, Lelarge, Bhagat, UAI 2012", "caron2012leveraging",
       R"(@inproceedings{caron2012leveraging,
  author    = {Caron, St{\'e}phane and Kveton, Branislav and Lelarge, Marc and Bhagat, Smriti},
  title     = {Leveraging Side Observations in Stochastic Bandits},
  booktitle = {Proceedings of the 28th Conference on Uncertainty in Artificial Intelligence},
  year      = {2012}
})"},
      {"Tossou, Dimitrakakis, Dubhashi, AAAI 2017", "tossou2017thompson",
       R"(@inproceedings{tossou2017thompson,
  author    = {Tossou, Aristide C. Y. and Dimitrakakis, Christos and Dubhashi, Devdatt},
  title     = {Thompson Sampling for Stochastic Bandits with Graph Feedback},
  booktitle = {Proceedings of the 31st AAAI Conference on Artificial Intelligence},
  year      = {2017}
})"},
      {"Mannor, Shamir, NIPS 2011", "mannor2011bandits",
       R"(@inproceedings{mannor2011bandits,
  author    = {Mannor, Shie and Shamir, Ohad},
  title     = {From Bandits to Experts: On the Value of Side-Observations},
  booktitle = {Advances in Neural Information Processing Systems 24},
  year      = {2011}
})"},
      {"Wu, Gyorgy, Szepesvari, NIPS 2015", "wu2015gaussian",
       R"(@inproceedings{wu2015gaussian,
  author    = {Wu, Yifan and Gy{\"o}rgy, Andr{\'a}s and Szepesv{\'a}ri, Csaba},
  title     = {Online Learning with {Gaussian} Payoffs and Side Observations},
  booktitle = {Advances in Neural Information Processing Systems 28},
  year      = {2015}
})"},
  }};
  return kPapers;
}

const Paper* paper_of(std::string_view reference) {
  const auto found = std::ranges::find(papers(), reference, &Paper::reference);
  return found == papers().end() ? nullptr : &*found;
}

}  // namespace hearsay
